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

/** The most points a proof brings: A, S, T1, T2, the commitments, and L and R of every round. */
constexpr size_t MAX_POINTS = 4 + MAX_OUTPUTS + 2 * MAX_ROUNDS;

/** A proof with its points decoded and its challenges rebuilt. */
struct Prepared {
  size_t outputs, rounds;
  Scalar taux, mu, a, b, t;
  /** Of the first equation and of the second. */
  Scalar polynomialWeight, productWeight;
  Scalar y, z, x, xip;
  Scalar w[MAX_ROUNDS];
  /** Inverses of y and of the w. */
  Scalar yInverse;
  Scalar wInverse[MAX_ROUNDS];
  /** In the order of appendPoints. */
  const Point* points;

  const Point& A() const { return points[0]; }
  const Point& S() const { return points[1]; }
  const Point& T1() const { return points[2]; }
  const Point& T2() const { return points[3]; }
  const Point* commitments() const { return points + 4; }
  const Point* L() const { return commitments() + outputs; }
  const Point* R() const { return L() + rounds; }

  size_t length() const { return RANGE_BITS << (rounds - ROUNDS_FOR_ONE); }
};

void appendPoints(PointSet* set, const OldRangeProof& proof) {
  for (const u8* point : {proof.A, proof.S, proof.T1, proof.T2}) set->append(point, 1);
  set->append(proof.commitments, proof.outputs);
  set->append(proof.L, proof.rounds);
  set->append(proof.R, proof.rounds);
}

/** A random scalar that is not 0. */
Scalar weightFromBytes(const u8* bytes) {
  const Scalar weight = scalarFromBytes(bytes);
  return isZero(weight) ? SCALAR_ONE : weight;
}

bool readScalars(Prepared* p, const OldRangeProof& proof, const u8* weights) {
  for (const u8* scalar : {proof.taux, proof.mu, proof.a, proof.b, proof.t}) {
    if (!isCanonicalScalar(scalar)) return false;
  }
  p->outputs = proof.outputs;
  p->rounds = proof.rounds;
  p->taux = scalarFromBytes(proof.taux);
  p->mu = scalarFromBytes(proof.mu);
  p->a = scalarFromBytes(proof.a);
  p->b = scalarFromBytes(proof.b);
  p->t = scalarFromBytes(proof.t);
  p->polynomialWeight = weightFromBytes(weights);
  p->productWeight = weightFromBytes(weights + 32);
  return true;
}

/**
 * Rebuilds the challenges from V, the scaled commitments; false if one of them is 0. z and x are
 * hashed once more although they are the state.
 */
bool rebuildChallenges(Prepared* p, const OldRangeProof& proof, const ScalarBytes* V) {
  Transcript transcript;
  transcript.start(V, proof.outputs);
  u8 state[32];
  p->y = transcript.append({proof.A, proof.S});
  p->z = transcript.append({});
  std::memcpy(state, transcript.state, 32);
  p->x = transcript.append({state, proof.T1, proof.T2});
  std::memcpy(state, transcript.state, 32);
  p->xip = transcript.append({state, proof.taux, proof.mu, proof.t});
  bool ok = !isZero(p->y) && !isZero(p->z) && !isZero(p->x) && !isZero(p->xip);
  for (size_t j = 0; j < p->rounds; j++) {
    p->w[j] = transcript.append({proof.L + 32 * j, proof.R + 32 * j});
    ok = ok && !isZero(p->w[j]);
  }
  return ok;
}

/** Everything about the proofs but the sum; false if one of them cannot hold. */
bool prepareBatch(std::vector<Prepared>* batch, PointSet* set, const OldRangeProof* proofs,
                  const u8* weights, const VectorCode* code) {
  for (size_t i = 0; i < batch->size(); i++) {
    if (!readScalars(&(*batch)[i], proofs[i], weights + 64 * i)) return false;
    appendPoints(set, proofs[i]);
  }
  if (!set->decode(code)) return false;

  std::vector<Point> commitments;
  const Point* next = set->points.data();
  for (Prepared& p : *batch) {
    p.points = next;
    next += 4 + p.outputs + 2 * p.rounds;
    commitments.insert(commitments.end(), p.commitments(), p.commitments() + p.outputs);
  }
  const std::vector<ScalarBytes> V = scaleCommitments(commitments, code);
  size_t first = 0;
  for (size_t i = 0; i < batch->size(); i++) {
    if (!rebuildChallenges(&(*batch)[i], proofs[i], &V[first])) return false;
    first += proofs[i].outputs;
  }
  return true;
}

/** Inverts y and all w of all proofs; none of them is 0. */
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

}  // namespace

bool verifyBulletproof(const OldRangeProof* proofs, size_t count, const u8* weights,
                       const VectorCode* code) {
  if (count == 0) return true;
  std::vector<Prepared> batch(count);
  PointSet points;
  if (!prepareBatch(&batch, &points, proofs, weights, code)) return false;
  invertChallenges(batch);

  size_t longest = 0;
  for (const Prepared& p : batch) longest = p.length() > longest ? p.length() : longest;
  Terms terms(GeneratorKind::bulletproof, longest, count * MAX_POINTS);
  for (const Prepared& p : batch) {
    addPolynomialTerms(&terms, p);
    addProductTerms(&terms, p);
    subtractVectorTerms(&terms, p);
  }
  return isSumZero(terms, code);
}

}  // namespace monero
