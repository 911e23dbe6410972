// Bulletproof+ verification (upstream `bulletproof_plus_VERIFY`; Chung et al., "Bulletproofs+",
// section 6.1).
#include "bulletproof_plus.h"

#include <vector>

#include "lanes.h"
#include "range_sum.h"

namespace monero {

namespace {

/** encode(Hp(Keccak-256("bulletproof_plus_transcript"))), where every transcript starts. */
constexpr u8 INITIAL_TRANSCRIPT[32] = {
    0x4a, 0x67, 0x7c, 0x90, 0xeb, 0x73, 0x05, 0x1e, 0x79, 0x0d, 0xa4, 0x55, 0x91, 0x10, 0x7f, 0x6e,
    0xe1, 0x05, 0x90, 0x4d, 0x91, 0x87, 0xc5, 0xd3, 0x54, 0x71, 0x09, 0x6c, 0x44, 0x5a, 0x22, 0x75};

/** The points of a proof: A, A1, B, the commitments, L and R. */
struct Prepared : PreparedProof<3> {
  Scalar r1, s1, d1, weight;
  Scalar z, e;

  const Point& A() const { return points[0]; }
  const Point& A1() const { return points[1]; }
  const Point& B() const { return points[2]; }

  static constexpr size_t WEIGHT_BYTES = 32;
  static void appendPoints(PointSet* set, const RangeProof& proof);
  bool readScalars(const RangeProof& proof, const u8* weights);
  bool rebuildChallenges(const RangeProof& proof, const ScalarBytes* V);
};

void Prepared::appendPoints(PointSet* set, const RangeProof& proof) {
  for (const u8* point : {proof.A, proof.A1, proof.B}) set->append(point, 1);
  set->append(proof.commitments, proof.outputs);
  set->append(proof.L, proof.rounds);
  set->append(proof.R, proof.rounds);
}

bool Prepared::readScalars(const RangeProof& proof, const u8* weights) {
  for (const u8* scalar : {proof.r1, proof.s1, proof.d1}) {
    if (!isCanonicalScalar(scalar)) return false;
  }
  outputs = proof.outputs;
  rounds = proof.rounds;
  r1 = scalarFromBytes(proof.r1);
  s1 = scalarFromBytes(proof.s1);
  d1 = scalarFromBytes(proof.d1);
  weight = weightFromBytes(weights);
  return true;
}

/** Rebuilds the challenges from V, the scaled commitments; false if one of them is 0. */
bool Prepared::rebuildChallenges(const RangeProof& proof, const ScalarBytes* V) {
  Transcript hash, transcript;
  hash.start(V, proof.outputs);
  std::memcpy(transcript.state, INITIAL_TRANSCRIPT, 32);
  transcript.append({hash.state});
  y = transcript.append({proof.A});
  z = transcript.append({});
  bool ok = !isZero(y) && !isZero(z);
  for (size_t j = 0; j < rounds; j++) {
    w[j] = transcript.append({proof.L + 32 * j, proof.R + 32 * j});
    ok = ok && !isZero(w[j]);
  }
  e = transcript.append({proof.A1, proof.B});
  return ok && !isZero(e);
}

/** The terms of the generator vectors. */
void addVectorTerms(Terms* terms, const Prepared& p) {
  const size_t length = p.length();
  const std::vector<Scalar> products = challengeProducts(p.w, p.wInverse, p.rounds);
  const Scalar weight = p.weight * INVERSE_OF_EIGHT;
  const Scalar ee = p.e * p.e;
  const Scalar constant = weight * ee * p.z;
  const Scalar sFactor = weight * p.e * p.s1;
  const Scalar zz = p.z * p.z;
  // Running values at index i: e·r1·y^-i, e²·y^(length-i), z^(2(j+1)) and d_i = z^(2(j+1))·2^(i mod 64).
  Scalar rFactor = weight * p.e * p.r1;
  Scalar yFactor = weight * ee * powerOfTwoPower(p.y, length);
  Scalar zPower = SCALAR_ONE, d = SCALAR_ONE;
  for (size_t i = 0; i < length; i++) {
    if (i % RANGE_BITS == 0) d = zPower = zPower * zz;
    // The complement of i inverts every sign of the product.
    const Scalar hi = sFactor * products[length - 1 - i] - constant - yFactor * d;
    const Scalar gi = rFactor * products[i] + constant;
    terms->generators[2 * i] = terms->generators[2 * i] + hi;
    terms->generators[2 * i + 1] = terms->generators[2 * i + 1] + gi;
    rFactor = rFactor * p.yInverse;
    yFactor = yFactor * p.yInverse;
    d = d + d;
  }
}

/** The terms of the proof's own points, of G and of H. */
void addOwnTerms(Terms* terms, const Prepared& p) {
  const size_t length = p.length();
  const Scalar ee = p.e * p.e, zz = p.z * p.z;
  const Scalar minusWeight = negate(p.weight);
  const Scalar minusWeightEE = minusWeight * ee;
  const Scalar yLast = powerOfTwoPower(p.y, length) * p.y;

  terms->add(minusWeight, p.B());
  terms->add(minusWeight * p.e, p.A1());
  terms->add(minusWeightEE, p.A());
  // 8V = (1/8)·8·commitment, so the commitment itself counts with an eighth of V's scalar.
  Scalar factor = minusWeightEE * yLast * INVERSE_OF_EIGHT;
  for (size_t j = 0; j < p.outputs; j++) {
    factor = factor * zz;
    terms->add(factor, p.commitments()[j]);
  }
  for (size_t j = 0; j < p.rounds; j++) {
    terms->add(minusWeightEE * p.w[j] * p.w[j], p.L()[j]);
    terms->add(minusWeightEE * p.wInverse[j] * p.wInverse[j], p.R()[j]);
  }

  const Scalar weight = p.weight * INVERSE_OF_EIGHT;
  const Scalar sumOfD = ALL_BITS * sumOfPowers(zz, length / RANGE_BITS);
  const Scalar range = yLast * p.z * sumOfD + (zz - p.z) * sumOfPowers(p.y, length);
  terms->g = terms->g + weight * p.d1;
  terms->h = terms->h + weight * (p.r1 * p.y * p.s1 + ee * range);
}

void addTerms(Terms* terms, const Prepared& p) {
  addVectorTerms(terms, p);
  addOwnTerms(terms, p);
}

}  // namespace

bool verifyBulletproofPlus(const RangeProof* proofs, size_t count, const u8* weights,
                           const VectorCode* code) {
  return verifyBatch<Prepared>(GeneratorKind::bulletproofPlus, proofs, count, weights, code);
}

}  // namespace monero
