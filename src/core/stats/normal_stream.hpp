// Standard normal numbers from a RandomStream, the same on every platform.
#pragma once
#include <cmath>

#include "stats/random.hpp"

namespace judicious {

// The polar method (Marsaglia and Bray 1964), which makes two at a time.
class NormalStream {
 public:
  explicit NormalStream(RandomStream& random) : random_(random) {}

  double operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u, v, s;
    do {
      u = 2 * random_.uniform() - 1;
      v = 2 * random_.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double stretch = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * stretch;
    has_spare_ = true;
    return u * stretch;
  }

  double uniform() { return random_.uniform(); }

 private:
  RandomStream& random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace judicious
