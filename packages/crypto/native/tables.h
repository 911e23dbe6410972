// Multiples of the fixed points, made when first needed and never changed afterwards.
#pragma once

#include "group.h"

namespace monero {

/** Width of the digits for G and H. */
constexpr int FIXED_WIDTH = 8;
constexpr int FIXED_ENTRIES = 1 << (FIXED_WIDTH - 2);

struct BaseTables {
  /** Odd multiples of G and of H. */
  Affine G[FIXED_ENTRIES];
  Affine H[FIXED_ENTRIES];
  Point pointG, pointH;
};

const BaseTables& baseTables();

}  // namespace monero
