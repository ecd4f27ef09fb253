# Compiles the layers of stores and judging; compile-collection.R has the reason.
compile_layers(environment())
