// The buckets of Pippenger's method, for points of either curve of the cycle.
#pragma once

#include <algorithm>
#include <vector>

#include "cycle_curve.h"

namespace monero {

/** Points by the size of a signed digit of `width` bits: bucket k holds those that count k + 1 times. */
template <typename Curve>
class Buckets {
 public:
  explicit Buckets(int width) : sums_(size_t{1} << (width - 1), CycleSum<Curve>::identity()) {}

  void clear() { std::fill(sums_.begin(), sums_.end(), CycleSum<Curve>::identity()); }

  void add(const CycleAffine<Curve>& point, int digit) {
    if (digit > 0)
      addPoint(&sums_[digit - 1], point);
    else if (digit < 0)
      addPoint(&sums_[-digit - 1], negate(point));
  }

  /** Σ (k + 1)·bucket[k], by running sums from the top. */
  CycleSum<Curve> total() const {
    auto running = CycleSum<Curve>::identity(), total = running;
    for (size_t k = sums_.size(); k-- > 0;) {
      addPoint(&running, sums_[k]);
      addPoint(&total, running);
    }
    return total;
  }

 private:
  std::vector<CycleSum<Curve>> sums_;
};

}  // namespace monero
