# Skips the layers of beliefs and rankings, whose work is in the core; compile-collection.R has the reason.
skip_layers(environment())
