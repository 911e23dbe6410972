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

/** A random scalar that is not 0. */
inline Scalar weightFromBytes(const u8* bytes) {
  const Scalar weight = scalarFromBytes(bytes);
  return isZero(weight) ? SCALAR_ONE : weight;
}

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

/**
 * A proof with its points decoded and its challenges rebuilt. `OWN_POINTS` come before the
 * commitments, L and R in the order of its points.
 */
template <size_t OWN_POINTS>
struct PreparedProof {
  size_t outputs, rounds;
  Scalar y;
  Scalar w[MAX_ROUNDS];
  /** Inverses of y and of the w. */
  Scalar yInverse;
  Scalar wInverse[MAX_ROUNDS];
  const Point* points;

  const Point* commitments() const { return points + OWN_POINTS; }
  const Point* L() const { return commitments() + outputs; }
  const Point* R() const { return L() + rounds; }

  size_t pointCount() const { return OWN_POINTS + outputs + 2 * rounds; }
  size_t length() const { return RANGE_BITS << (rounds - ROUNDS_FOR_ONE); }
  /** The most points a proof brings. */
  static constexpr size_t MAX_POINTS = OWN_POINTS + MAX_OUTPUTS + 2 * MAX_ROUNDS;
};

/** Everything about the proofs but the sum; false if one of them cannot hold. */
template <typename Prepared, typename Proof>
bool prepareBatch(std::vector<Prepared>* batch, PointSet* set, const Proof* proofs,
                  const u8* weights, const VectorCode* code) {
  for (size_t i = 0; i < batch->size(); i++) {
    if (!(*batch)[i].readScalars(proofs[i], weights + Prepared::WEIGHT_BYTES * i)) return false;
    Prepared::appendPoints(set, proofs[i]);
  }
  if (!set->decode(code)) return false;

  std::vector<Point> commitments;
  const Point* next = set->points.data();
  for (Prepared& p : *batch) {
    p.points = next;
    next += p.pointCount();
    commitments.insert(commitments.end(), p.commitments(), p.commitments() + p.outputs);
  }
  const std::vector<ScalarBytes> V = scaleCommitments(commitments, code);
  size_t first = 0;
  for (size_t i = 0; i < batch->size(); i++) {
    if (!(*batch)[i].rebuildChallenges(proofs[i], &V[first])) return false;
    first += proofs[i].outputs;
  }
  return true;
}

/** Inverts y and all w of all proofs; none of them is 0. */
template <typename Prepared>
void invertChallenges(std::vector<Prepared>& batch) {
  std::vector<Scalar> values;
  values.reserve(batch.size() * (1 + MAX_ROUNDS));
  for (const Prepared& p : batch) {
    values.push_back(p.y);
    values.insert(values.end(), p.w, p.w + p.rounds);
  }
  invertAll(values);
  const Scalar* next = values.data();
  for (Prepared& p : batch) {
    p.yInverse = *next++;
    for (size_t j = 0; j < p.rounds; j++) p.wInverse[j] = *next++;
  }
}

/**
 * True if every proof of the batch holds. `weights`: fresh secret random bytes, as many per proof as
 * the prepared form wants. Allocates; the shapes must be valid.
 */
template <typename Prepared, typename Proof>
bool verifyBatch(GeneratorKind kind, const Proof* proofs, size_t count, const u8* weights,
                 const VectorCode* code) {
  if (count == 0) return true;
  std::vector<Prepared> batch(count);
  PointSet points;
  if (!prepareBatch(&batch, &points, proofs, weights, code)) return false;
  invertChallenges(batch);

  size_t longest = 0;
  for (const Prepared& p : batch) longest = p.length() > longest ? p.length() : longest;
  Terms terms(kind, longest, count * Prepared::MAX_POINTS);
  for (const Prepared& p : batch) addTerms(&terms, p);
  return isSumZero(terms, code);
}

}  // namespace monero
