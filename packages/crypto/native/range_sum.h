// The common part of verifying Bulletproofs and Bulletproofs+. All proofs of a batch
// become one sum, each with its random weights, that must be the identity:
//
//   sum of s·8P over the proofs' own points P + sum of s·Q over the fixed generators Q = 0
//
// It is computed as 8·(sum of s·P + sum of (s/8)·Q): the generators have no torsion, so the result
// is the same, and any torsion of the points P still vanishes with the factor 8.
#pragma once

#include <initializer_list>
#include <vector>

#include "cpu.h"
#include "generators.h"
#include "range_proof.h"

namespace monero {

/** 2^64 - 1 in Montgomery form. */
constexpr Scalar ALL_BITS = {
    {0xd93894c02c5312bd, 0xe1a8662303142b6b, 0xb2106215d086329b, 0x0ffffffffffffffe}};

/** The running hash of a proof: each challenge is the next state. */
struct Transcript {
  u8 state[32];

  /** Starts with the hash of `count` elements of 32 bytes. */
  void start(const ScalarBytes* elements, size_t count);
  /** Hashes elements of 32 bytes onto the state. */
  Scalar append(std::initializer_list<const u8*> elements);
};

/** The encoded points of all proofs of a batch, one proof after another, and what they decode to. */
struct PointSet {
  std::vector<const u8*> encoded;
  std::vector<Point> points;

  void append(const u8* bytes, size_t count);
  /** False if one of them is no point. */
  bool decode(const VectorCode* code);
};

/** Commitments times the integer (1/8 mod l), encoded, even where they have torsion. */
std::vector<ScalarBytes> scaleCommitments(const std::vector<Point>& commitments,
                                          const VectorCode* code);

/** Replaces scalars that are not 0 by their inverses, with one inversion. */
void invertAll(std::vector<Scalar>& values);

/** For all i below 2^rounds: the product of w_j where bit rounds-1-j of i is set, of 1/w_j where it is not. */
std::vector<Scalar> challengeProducts(const Scalar* w, const Scalar* wInverse, size_t rounds);

/** base + base² + … + base^count, for a count that is a power of two. */
Scalar sumOfPowers(const Scalar& base, size_t count);

/** base^exponent, for an exponent that is a power of two. */
Scalar powerOfTwoPower(Scalar base, size_t exponent);

/** All terms of the sum. Scalars of fixed generators are to be divided by 8. */
struct Terms {
  GeneratorKind kind;
  Scalar g = SCALAR_ZERO, h = SCALAR_ZERO;
  /** Scalars of H_i (even) and G_i (odd entries). */
  std::vector<Scalar> generators;
  std::vector<Point> points;
  std::vector<ScalarBytes> scalars;

  Terms(GeneratorKind generatorKind, size_t longest, size_t mostPoints);
  void add(const Scalar& scalar, const Point& point);
};

/** Spends the terms. */
bool isSumZero(Terms& terms, const VectorCode* code);

}  // namespace monero
