// Bulletproof verification (upstream `bulletproof_VERIFY`; Bünz et al., "Bulletproofs", section
// 6.2). A proof has two equations, each with its random weight:
//
//   taux·G + (t + (z² - z)·Σy^i + (2^64 - 1)·Σz^(j+2))·H - x·T1 - x²·T2 - Σz^(j+2)·V_j = 0
//   A + x·S - mu·G + xip·(t - a·b)·H + Σ(w²·L + w^-2·R) - Σ(g_i·G_i + h_i·H_i) = 0
//
// where g_i = a·s_i + z and h_i = y^-i·(b/s_i - z^(2 + floor(i/64))·2^(i mod 64)) - z.
#include "bulletproof.h"

#include <vector>

#include "lanes.h"
#include "range_sum.h"

namespace monero {

namespace {

/** The points of a proof: A, S, T1, T2, the commitments, L and R. */
struct Prepared : PreparedProof<4> {
  Scalar taux, mu, a, b, t;
  /** Of the first equation and of the second. */
  Scalar polynomialWeight, productWeight;
  Scalar z, x, xip;

  const Point& A() const { return points[0]; }
  const Point& S() const { return points[1]; }
  const Point& T1() const { return points[2]; }
  const Point& T2() const { return points[3]; }

  static constexpr size_t WEIGHT_BYTES = 64;
  static void appendPoints(PointSet* set, const OldRangeProof& proof);
  bool readScalars(const OldRangeProof& proof, const u8* weights);
  bool rebuildChallenges(const OldRangeProof& proof, const ScalarBytes* V);
};

void Prepared::appendPoints(PointSet* set, const OldRangeProof& proof) {
  for (const u8* point : {proof.A, proof.S, proof.T1, proof.T2}) set->append(point, 1);
  set->append(proof.commitments, proof.outputs);
  set->append(proof.L, proof.rounds);
  set->append(proof.R, proof.rounds);
}

bool Prepared::readScalars(const OldRangeProof& proof, const u8* weights) {
  for (const u8* scalar : {proof.taux, proof.mu, proof.a, proof.b, proof.t}) {
    if (!isCanonicalScalar(scalar)) return false;
  }
  outputs = proof.outputs;
  rounds = proof.rounds;
  taux = scalarFromBytes(proof.taux);
  mu = scalarFromBytes(proof.mu);
  a = scalarFromBytes(proof.a);
  b = scalarFromBytes(proof.b);
  t = scalarFromBytes(proof.t);
  polynomialWeight = weightFromBytes(weights);
  productWeight = weightFromBytes(weights + 32);
  return true;
}

/**
 * Rebuilds the challenges from V, the scaled commitments; false if one of them is 0. z and x are
 * hashed once more although they are the state.
 */
bool Prepared::rebuildChallenges(const OldRangeProof& proof, const ScalarBytes* V) {
  Transcript transcript;
  transcript.start(V, proof.outputs);
  u8 state[32];
  y = transcript.append({proof.A, proof.S});
  z = transcript.append({});
  std::memcpy(state, transcript.state, 32);
  x = transcript.append({state, proof.T1, proof.T2});
  std::memcpy(state, transcript.state, 32);
  xip = transcript.append({state, proof.taux, proof.mu, proof.t});
  bool ok = !isZero(y) && !isZero(z) && !isZero(x) && !isZero(xip);
  for (size_t j = 0; j < rounds; j++) {
    w[j] = transcript.append({proof.L + 32 * j, proof.R + 32 * j});
    ok = ok && !isZero(w[j]);
  }
  return ok;
}

void addPolynomialTerms(Terms* terms, const Prepared& p) {
  const size_t length = p.length();
  const Scalar zz = p.z * p.z;
  // Σ y^i for i from 0.
  const Scalar sumOfY = SCALAR_ONE + sumOfPowers(p.y, length) - powerOfTwoPower(p.y, length);
  const Scalar sumOfZ = zz * sumOfPowers(p.z, length / RANGE_BITS);
  const Scalar weight = p.polynomialWeight * INVERSE_OF_EIGHT;
  terms->g = terms->g + weight * p.taux;
  terms->h = terms->h + weight * (p.t + (zz - p.z) * sumOfY + ALL_BITS * sumOfZ);

  const Scalar minusX = negate(p.polynomialWeight) * p.x;
  terms->add(minusX, p.T1());
  terms->add(minusX * p.x, p.T2());
  // 8V = (1/8)·8·commitment, so the commitment itself counts with an eighth of V's scalar.
  Scalar factor = negate(p.polynomialWeight) * p.z * INVERSE_OF_EIGHT;
  for (size_t j = 0; j < p.outputs; j++) {
    factor = factor * p.z;
    terms->add(factor, p.commitments()[j]);
  }
}

/** The second equation without its last sum. */
void addProductTerms(Terms* terms, const Prepared& p) {
  terms->add(p.productWeight, p.A());
  terms->add(p.productWeight * p.x, p.S());
  for (size_t j = 0; j < p.rounds; j++) {
    terms->add(p.productWeight * p.w[j] * p.w[j], p.L()[j]);
    terms->add(p.productWeight * p.wInverse[j] * p.wInverse[j], p.R()[j]);
  }
  const Scalar weight = p.productWeight * INVERSE_OF_EIGHT;
  terms->g = terms->g - weight * p.mu;
  terms->h = terms->h + weight * p.xip * (p.t - p.a * p.b);
}

/** Takes off the terms of the generator vectors. */
void subtractVectorTerms(Terms* terms, const Prepared& p) {
  const size_t length = p.length();
  const std::vector<Scalar> products = challengeProducts(p.w, p.wInverse, p.rounds);
  const Scalar weight = p.productWeight * INVERSE_OF_EIGHT;
  const Scalar weightA = weight * p.a, weightZ = weight * p.z;
  // Running values at index i: y^-i, z^(2 + floor(i/64)) and d_i = z^(2 + floor(i/64))·2^(i mod 64).
  Scalar yFactor = weight, zPower = p.z, d = SCALAR_ZERO;
  for (size_t i = 0; i < length; i++) {
    if (i % RANGE_BITS == 0) d = zPower = zPower * p.z;
    // The complement of i inverts every sign of the product.
    const Scalar hi = yFactor * (p.b * products[length - 1 - i] - d) - weightZ;
    const Scalar gi = weightA * products[i] + weightZ;
    terms->generators[2 * i] = terms->generators[2 * i] - hi;
    terms->generators[2 * i + 1] = terms->generators[2 * i + 1] - gi;
    yFactor = yFactor * p.yInverse;
    d = d + d;
  }
}

void addTerms(Terms* terms, const Prepared& p) {
  addPolynomialTerms(terms, p);
  addProductTerms(terms, p);
  subtractVectorTerms(terms, p);
}

}  // namespace

bool verifyBulletproof(const OldRangeProof* proofs, size_t count, const u8* weights,
                       const VectorCode* code) {
  return verifyBatch<Prepared>(GeneratorKind::bulletproof, proofs, count, weights, code);
}

}  // namespace monero
