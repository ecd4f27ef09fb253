# Creates data/ams_demo.rda: the collection of the examples, the vignette and the demonstration.
# Run from the package's folder, with the package installed: Rscript data-raw/ams_demo.R
library(judicious)

ams_demo <- simulate_collection(edition = 2011, seed = 2011)
dir.create("data", showWarnings = FALSE)
save(ams_demo, file = "data/ams_demo.rda", compress = "xz", version = 3)
