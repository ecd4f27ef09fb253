# The shared library for tools/dev, with an object for each source file: a change recompiles one file, where the
# package's own Makevars recompiles a unit. The compiler writes the dependencies on headers.
# Paths are relative, so that ccache serves every checkout.
# Usage: make -C src -f ../tools/dev.mk BUILD=<folder of the objects>
SOURCES := $(wildcard *.cpp core/*/*.cpp)
OBJECTS := $(SOURCES:%.cpp=$(BUILD)/%.o)
LAUNCHER := $(shell command -v ccache)
COMPILER := $(shell R CMD config CXX17) $(shell R CMD config CXX17STD) $(shell R CMD config CXX17PICFLAGS)
PACKAGES := $(shell Rscript -e 'for (p in c("BH", "Rcpp", "RcppEigen")) cat("-isystem", system.file("include", package = p), "")')
R_FLAGS := $(shell R CMD config --cppflags)

$(BUILD)/judicious.so: $(OBJECTS)
	$(COMPILER) -shared -o $@.new $^ -pthread -lz $(shell R CMD config --ldflags) && mv $@.new $@

$(OBJECTS): $(BUILD)/%.o: %.cpp
	@mkdir -p $(@D)
	$(LAUNCHER) $(COMPILER) -O1 -MMD -MP -I. -Icore $(R_FLAGS) $(PACKAGES) -c $< -o $@

-include $(OBJECTS:.o=.d)
