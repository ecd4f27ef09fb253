# Skips the layers from evaluation to ordinal models; compile-collection.R has the reason.
skip_layers(environment())
