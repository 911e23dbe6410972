// The line through two points at which proofs of discrete logarithms are checked, and the weights that follow from it. What the
// formulas are and where they come from stands in src/circuit/discrete-log.ts.
#pragma once

#include "../../crypto/native/bytes.h"

namespace monero {

/** A line on y² = x³ + a·x + b, as 32 bytes for each coordinate, whatever their size. */
struct ClaimLine {
  const u8* a;
  /** x and y of two points. */
  const u8* points;
  /** Bits of the multiples that are claimed; so many coefficients has a divisor. */
  size_t bits;
  /** x and y of multiples of generators. */
  const u8* multiples;
  size_t count;
};

/** At least two: a divisor has a coefficient of y and a constant. */
constexpr size_t FEWEST_CLAIM_BITS = 2;

/** Elements that `weighClaims` writes: slope and intercept; two forms, each a constant and its weights, for three points. */
constexpr size_t claimWeights(size_t bits, size_t count) { return 2 + 6 * (1 + bits) + count; }

/**
 * Writes slope and intercept; for each of the three points of the line the constant and the weights of the numerator, then of the
 * denominator; then the weights of the multiples. 32 bytes each, below the prime. False, with some of them written, if something
 * that has no inverse would need one.
 */
template <typename Prime>
bool weighClaims(u8* out, const ClaimLine& line);

/** Writes a square root of 32 bytes, whatever their size, to 32 bytes below the prime; false if there is none. */
template <typename Prime>
bool rootOfBytes(u8* out, const u8* bytes);

}  // namespace monero
