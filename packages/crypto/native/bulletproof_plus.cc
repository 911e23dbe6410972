// Bulletproof+ verification (upstream `bulletproof_plus_VERIFY`; Chung et al., "Bulletproofs+",
// section 6.1). All proofs of a batch become one sum, each with its random weight, that must be the
// identity:
//
//   sum of s·8P over the proofs' own points P + sum of s·Q over the fixed generators Q = 0
//
// It is computed as 8·(sum of s·P + sum of (s/8)·Q): the generators have no torsion, so the result
// is the same, and what torsion the points P have still vanishes with the factor 8.
#include "bulletproof_plus.h"

#include <new>
#include <vector>

#include "generators.h"
#include "ifma.h"
#include "msm.h"

namespace monero {

namespace {

/** encode(Hp(Keccak-256("bulletproof_plus_transcript"))), where every transcript starts. */
constexpr u8 INITIAL_TRANSCRIPT[32] = {
    0x4a, 0x67, 0x7c, 0x90, 0xeb, 0x73, 0x05, 0x1e, 0x79, 0x0d, 0xa4, 0x55, 0x91, 0x10, 0x7f, 0x6e,
    0xe1, 0x05, 0x90, 0x4d, 0x91, 0x87, 0xc5, 0xd3, 0x54, 0x71, 0x09, 0x6c, 0x44, 0x5a, 0x22, 0x75};

/** 2^64 - 1 in Montgomery form. */
constexpr Scalar ALL_BITS = {
    {0xd93894c02c5312bd, 0xe1a8662303142b6b, 0xb2106215d086329b, 0x0ffffffffffffffe}};

/** The most points a proof brings: A, A1, B, the commitments, and L and R of every round. */
constexpr size_t MAX_POINTS = 3 + MAX_OUTPUTS + 2 * MAX_ROUNDS;

/** The running hash: each challenge is the next state. */
struct Transcript {
  u8 state[32];

  Scalar append(const u8* first, const u8* second) {
    Keccak hash;
    hash.add(state, 32);
    if (first != nullptr) hash.add(first, 32);
    if (second != nullptr) hash.add(second, 32);
    const Scalar challenge = finishToScalar(hash);
    scalarToBytes(state, challenge);
    return challenge;
  }
};

/** A proof with its points decoded and its challenges rebuilt. */
struct Prepared {
  size_t outputs, rounds;
  Scalar r1, s1, d1, weight;
  Scalar y, z, e;
  Scalar w[MAX_ROUNDS];
  /** Inverses of y and of the w. */
  Scalar yInverse;
  Scalar wInverse[MAX_ROUNDS];
  /** In the order of PointSet. */
  const Point* points;

  const Point& A() const { return points[0]; }
  const Point& A1() const { return points[1]; }
  const Point& B() const { return points[2]; }
  const Point* commitments() const { return points + 3; }
  const Point* L() const { return commitments() + outputs; }
  const Point* R() const { return L() + rounds; }

  size_t length() const { return RANGE_BITS << (rounds - ROUNDS_FOR_ONE); }
};

/** The points of all proofs, in the order A, A1, B, commitments, L, R. */
struct PointSet {
  std::vector<const u8*> encoded;
  std::vector<Point> points;

  void append(const u8* bytes, size_t count) {
    for (size_t i = 0; i < count; i++) encoded.push_back(bytes + 32 * i);
  }

  void append(const RangeProof& proof) {
    append(proof.A, 1);
    append(proof.A1, 1);
    append(proof.B, 1);
    append(proof.commitments, proof.outputs);
    append(proof.L, proof.rounds);
    append(proof.R, proof.rounds);
  }

  bool decode(bool useIfma) {
    points.resize(encoded.size());
#ifdef MONERO_IFMA
    if (useIfma) return ifma::decodeAll(points.data(), encoded.data(), points.size());
#else
    (void)useIfma;
#endif
    for (size_t i = 0; i < points.size(); i++) {
      if (!monero::decode(&points[i], encoded[i])) return false;
    }
    return true;
  }
};

/** Commitments times (1/8 mod l), encoded; the integer counts as it stands, even with torsion. */
std::vector<ScalarBytes> scaleCommitments(const std::vector<Point>& commitments, bool useIfma) {
  std::vector<ScalarBytes> scaled(commitments.size());
#ifdef MONERO_IFMA
  if (useIfma) {
    ifma::multiplyAndEncode(&scaled[0].bytes, commitments.data(), commitments.size(),
                            INVERSE_OF_EIGHT_BYTES);
    return scaled;
  }
#else
  (void)useIfma;
#endif
  for (size_t i = 0; i < scaled.size(); i++) {
    encode(scaled[i].bytes, multiply(INVERSE_OF_EIGHT_BYTES, commitments[i]));
  }
  return scaled;
}

/** Rebuilds the challenges from V, the scaled commitments; false if one of them is 0. */
bool rebuildChallenges(Prepared* p, const RangeProof& proof, const ScalarBytes* V) {
  u8 hash[32];
  Keccak commitments;
  for (size_t j = 0; j < proof.outputs; j++) commitments.add(V[j].bytes, 32);
  scalarToBytes(hash, finishToScalar(commitments));

  Transcript transcript;
  std::memcpy(transcript.state, INITIAL_TRANSCRIPT, 32);
  transcript.append(hash, nullptr);
  p->y = transcript.append(proof.A, nullptr);
  p->z = transcript.append(nullptr, nullptr);
  bool ok = !isZero(p->y) && !isZero(p->z);
  for (size_t j = 0; j < p->rounds; j++) {
    p->w[j] = transcript.append(proof.L + 32 * j, proof.R + 32 * j);
    ok = ok && !isZero(p->w[j]);
  }
  p->e = transcript.append(proof.A1, proof.B);
  return ok && !isZero(p->e);
}

bool readScalars(Prepared* p, const RangeProof& proof, const u8* weight) {
  if (!isCanonicalScalar(proof.r1) || !isCanonicalScalar(proof.s1) ||
      !isCanonicalScalar(proof.d1)) {
    return false;
  }
  p->outputs = proof.outputs;
  p->rounds = proof.rounds;
  p->r1 = scalarFromBytes(proof.r1);
  p->s1 = scalarFromBytes(proof.s1);
  p->d1 = scalarFromBytes(proof.d1);
  p->weight = scalarFromBytes(weight);
  if (isZero(p->weight)) p->weight = SCALAR_ONE;
  return true;
}

/** Everything about the proofs but the sum; false if one of them cannot hold. */
bool prepareBatch(std::vector<Prepared>* batch, PointSet* set, const RangeProof* proofs,
                  const u8* weights, bool useIfma) {
  for (size_t i = 0; i < batch->size(); i++) {
    if (!readScalars(&(*batch)[i], proofs[i], weights + 32 * i)) return false;
    set->append(proofs[i]);
  }
  if (!set->decode(useIfma)) return false;

  std::vector<Point> commitments;
  const Point* next = set->points.data();
  for (Prepared& p : *batch) {
    p.points = next;
    next += 3 + p.outputs + 2 * p.rounds;
    commitments.insert(commitments.end(), p.commitments(), p.commitments() + p.outputs);
  }
  const std::vector<ScalarBytes> V = scaleCommitments(commitments, useIfma);
  size_t first = 0;
  for (size_t i = 0; i < batch->size(); i++) {
    if (!rebuildChallenges(&(*batch)[i], proofs[i], &V[first])) return false;
    first += proofs[i].outputs;
  }
  return true;
}

/** Inverts y and all w of all proofs with one inversion; none of them is 0. */
void invertChallenges(std::vector<Prepared>& batch) {
  std::vector<Scalar> products;
  products.reserve(batch.size() * (1 + MAX_ROUNDS));
  Scalar product = SCALAR_ONE;
  const auto append = [&](const Scalar& value) {
    products.push_back(product);
    product = product * value;
  };
  for (const Prepared& p : batch) {
    append(p.y);
    for (size_t j = 0; j < p.rounds; j++) append(p.w[j]);
  }
  Scalar inverse = invert(product);
  const auto take = [&](const Scalar& value) {
    const Scalar result = inverse * products.back();
    products.pop_back();
    inverse = inverse * value;
    return result;
  };
  for (size_t i = batch.size(); i-- > 0;) {
    Prepared& p = batch[i];
    for (size_t j = p.rounds; j-- > 0;) p.wInverse[j] = take(p.w[j]);
    p.yInverse = take(p.y);
  }
}

/** base + base² + … + base^count, for a count that is a power of two. */
Scalar sumOfPowers(const Scalar& base, size_t count) {
  Scalar total = base, power = base;
  for (size_t n = 1; n < count; n *= 2) {
    total = total + total * power;
    power = power * power;
  }
  return total;
}

Scalar powerOfTwoPower(Scalar base, size_t exponent) {
  for (size_t n = 1; n < exponent; n *= 2) base = base * base;
  return base;
}

/** All terms of the sum. */
struct Terms {
  Scalar g = SCALAR_ZERO, h = SCALAR_ZERO;
  /** Scalars of H_i (even) and G_i (odd entries). */
  std::vector<Scalar> generators;
  std::vector<Point> points;
  std::vector<ScalarBytes> scalars;

  void add(const Scalar& scalar, const Point& point) {
    points.push_back(point);
    scalars.emplace_back();
    scalarToBytes(scalars.back().bytes, scalar);
  }
};

/** The terms of the generator vectors. */
void addVectorTerms(Terms* terms, const Prepared& p) {
  const size_t length = p.length();
  // products[i]: the product of w_j where bit rounds-1-j of i is set, of 1/w_j where it is not.
  std::vector<Scalar> products(length);
  products[0] = SCALAR_ONE;
  size_t filled = 1;
  for (size_t j = 0; j < p.rounds; j++) {
    for (size_t i = filled; i-- > 0;) {
      products[2 * i + 1] = products[i] * p.w[j];
      products[2 * i] = products[i] * p.wInverse[j];
    }
    filled *= 2;
  }

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

/** Up to this many points, Straus needs fewer additions than Pippenger. */
constexpr size_t STRAUS_LIMIT = 256;

Point sumOfOwnPoints(const Terms& terms) {
  std::vector<Affine> points(terms.points.size());
  for (size_t i = 0; i < points.size(); i++) points[i] = toAffine(terms.points[i]);
  return pippengerSum(points.data(), terms.scalars.data(), points.size());
}

/** The sum over tables: the fixed points, and the own points while they are few. */
Point sumOverTables(const Terms& terms, bool withOwnPoints) {
  const size_t generators = terms.generators.size();
  StrausSum straus(2 + generators + (withOwnPoints ? terms.points.size() : 0));
  u8 bytes[32];
  scalarToBytes(bytes, terms.g);
  straus.addFixed(baseTables().G, bytes);
  scalarToBytes(bytes, terms.h);
  straus.addFixed(baseTables().H, bytes);
  if (generators > 0) {
    const Affine* tables = generatorTables();
    for (size_t i = 0; i < generators; i++) {
      scalarToBytes(bytes, terms.generators[i]);
      straus.addFixed(tables + i * FIXED_ENTRIES, bytes);
    }
  }
  for (size_t i = 0; withOwnPoints && i < terms.points.size(); i++) {
    straus.addPoint(terms.points[i], terms.scalars[i].bytes);
  }
  return straus.total();
}

/** Generators without tables join the own points: one large sum. */
Point sumWithoutTables(Terms& terms) {
  const Affine* vector = generatorVector();
  const size_t own = terms.points.size(), all = own + terms.generators.size();
  std::vector<Affine> points(all);
  for (size_t i = 0; i < own; i++) points[i] = toAffine(terms.points[i]);
  terms.scalars.resize(all);
  for (size_t i = own; i < all; i++) {
    points[i] = vector[i - own];
    scalarToBytes(terms.scalars[i].bytes, terms.generators[i - own]);
  }
  const Point many = pippengerSum(points.data(), terms.scalars.data(), all);
  terms.generators.clear();
  return sum(many, sumOverTables(terms, false));
}

#ifdef MONERO_IFMA
Point sumInLanes(const Terms& terms) {
  std::vector<ScalarBytes> scalars(2 + terms.generators.size());
  scalarToBytes(scalars[0].bytes, terms.g);
  scalarToBytes(scalars[1].bytes, terms.h);
  for (size_t i = 0; i < terms.generators.size(); i++) {
    scalarToBytes(scalars[2 + i].bytes, terms.generators[i]);
  }
  const ifma::FixedTerms fixed = {generatorMultiples(terms.generators.size()), scalars.data(),
                                  scalars.size()};
  Point total;
  if (!ifma::sumOfMultiples(&total, fixed, terms.points.data(), terms.scalars.data(),
                            terms.points.size())) {
    throw std::bad_alloc();
  }
  return total;
}
#endif

bool isSumZero(Terms& terms, bool useIfma) {
#ifdef MONERO_IFMA
  if (useIfma) return isIdentity(timesEight(sumInLanes(terms)));
#else
  (void)useIfma;
#endif
  Point total;
  if (terms.generators.size() > 2 * TABLED_PAIRS) {
    total = sumWithoutTables(terms);
  } else if (terms.points.size() <= STRAUS_LIMIT) {
    total = sumOverTables(terms, true);
  } else {
    total = sum(sumOfOwnPoints(terms), sumOverTables(terms, false));
  }
  return isIdentity(timesEight(total));
}

}  // namespace

bool verifyBulletproofPlus(const RangeProof* proofs, size_t count, const u8* weights,
                           bool useIfma) {
  if (count == 0) return true;
  const bool ifma = useIfma && isIfmaAvailable();
  std::vector<Prepared> batch(count);
  PointSet points;
  if (!prepareBatch(&batch, &points, proofs, weights, ifma)) return false;
  invertChallenges(batch);

  size_t longest = 0;
  for (const Prepared& p : batch) longest = p.length() > longest ? p.length() : longest;
  Terms terms;
  terms.generators.assign(2 * longest, SCALAR_ZERO);
  terms.points.reserve(count * MAX_POINTS);
  terms.scalars.reserve(count * MAX_POINTS);
  for (const Prepared& p : batch) {
    addVectorTerms(&terms, p);
    addOwnTerms(&terms, p);
  }
  return isSumZero(terms, ifma);
}

}  // namespace monero
