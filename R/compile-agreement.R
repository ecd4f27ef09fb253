# Skips the layers of significance tests and of agreement; compile-collection.R has the reason.
skip_layers(environment())
