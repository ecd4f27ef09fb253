// The only code that includes Boost.Math.
#include "../core/stats/distributions.cpp"
