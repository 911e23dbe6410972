// The constraints of a circuit as one: constraint k counts z^(k+1) times. What they are is decided in src/circuit; they come here
// as a program of numbers, which src/native/constraint-writer.ts writes.
#pragma once

#include "../../crypto/native/bytes.h"

namespace monero {

/**
 * A program is a list of constraints: how many terms and products follow, and which value is the constant; then the terms, a
 * variable and the place of its weight; then the products, each with the number of its variables, the place of their first weight,
 * 1 if all weights are to be negated and 0 if not, and the variables. A variable is two numbers: its kind and, in the bits from
 * the fourth on, its commitment; and its index.
 */
struct ConstraintProgram {
  const uint32_t* words;
  size_t count;
  /** Weights and constants, 32 bytes each, below the modulus. */
  Bytes values;
  /** z, then 1, x, x², … */
  Bytes powers;
  /** Gates, which is how many slots a commitment has too, and commitments to one value. */
  size_t gates, single;
};

/** Elements of the state that are no sums: the last power of z, and the sum of the constants. */
constexpr size_t STATE_HEAD = 2;

/**
 * Adds the constraints of a program to a state: the head, the sums for left sides, right sides and outputs of gates, those for
 * slots, where commitment j counts x^(1+j) times, and those for commitments to one value, 32 bytes each. False, with some sums
 * added, for a program that reads or writes where nothing is.
 */
template <typename Prime>
bool addConstraints(Bytes state, const ConstraintProgram& program);

}  // namespace monero
