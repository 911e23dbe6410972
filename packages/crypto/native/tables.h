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

/** Multiples 1 to 128 of G·2^(64·quarter): quarter after quarter, for digits of eight bits. */
constexpr int BASE_QUARTERS = 4;
constexpr int BASE_MULTIPLES = 128;
const Affine* baseMultiples();

/** Multiples 1 to 8 of H·16^position: position after position, for the signed digits of an amount and their last carry. */
constexpr int AMOUNT_DIGITS = 17;
constexpr int AMOUNT_MULTIPLES = 8;
const Affine* amountMultiples();

}  // namespace monero
