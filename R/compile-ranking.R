# Compiles the layers of beliefs and rankings; compile-collection.R has the reason.
compile_layers(environment())
