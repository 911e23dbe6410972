#include "range_sum.h"

#include <new>

#include "batch.h"
#include "lanes.h"
#include "msm.h"

namespace monero {

void Transcript::start(const ScalarBytes* elements, size_t count) {
  Keccak hash;
  for (size_t i = 0; i < count; i++) hash.add(elements[i].bytes, 32);
  scalarToBytes(state, finishToScalar(hash));
}

Scalar Transcript::append(std::initializer_list<const u8*> elements) {
  Keccak hash;
  hash.add(state, 32);
  for (const u8* element : elements) hash.add(element, 32);
  const Scalar challenge = finishToScalar(hash);
  scalarToBytes(state, challenge);
  return challenge;
}

void PointSet::append(const u8* bytes, size_t count) {
  for (size_t i = 0; i < count; i++) encoded.push_back(bytes + 32 * i);
}

bool PointSet::decode(const VectorCode* code) {
  points.resize(encoded.size());
  return decodeAll(points.data(), encoded.data(), points.size(), code);
}

std::vector<ScalarBytes> scaleCommitments(const std::vector<Point>& commitments,
                                          const VectorCode* code) {
  std::vector<ScalarBytes> scaled(commitments.size());
  if (code != nullptr) {
    code->multiplyAndEncode(&scaled[0].bytes, commitments.data(), commitments.size(),
                            INVERSE_OF_EIGHT_BYTES);
    return scaled;
  }
  for (size_t i = 0; i < scaled.size(); i++) {
    encode(scaled[i].bytes, multiply(INVERSE_OF_EIGHT_BYTES, commitments[i]));
  }
  return scaled;
}

void invertAll(std::vector<Scalar>& values) {
  std::vector<Scalar> products;
  products.reserve(values.size());
  Scalar product = SCALAR_ONE;
  for (const Scalar& value : values) {
    products.push_back(product);
    product = product * value;
  }
  Scalar inverse = invert(product);
  for (size_t i = values.size(); i-- > 0;) {
    const Scalar result = inverse * products[i];
    inverse = inverse * values[i];
    values[i] = result;
  }
}

std::vector<Scalar> challengeProducts(const Scalar* w, const Scalar* wInverse, size_t rounds) {
  std::vector<Scalar> products(size_t{1} << rounds);
  products[0] = SCALAR_ONE;
  size_t filled = 1;
  for (size_t j = 0; j < rounds; j++) {
    for (size_t i = filled; i-- > 0;) {
      products[2 * i + 1] = products[i] * w[j];
      products[2 * i] = products[i] * wInverse[j];
    }
    filled *= 2;
  }
  return products;
}

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

Terms::Terms(GeneratorKind generatorKind, size_t longest, size_t mostPoints)
    : kind(generatorKind), generators(2 * longest, SCALAR_ZERO) {
  points.reserve(mostPoints);
  scalars.reserve(mostPoints);
}

void Terms::add(const Scalar& scalar, const Point& point) {
  points.push_back(point);
  scalars.emplace_back();
  scalarToBytes(scalars.back().bytes, scalar);
}

namespace {

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
    const Affine* tables = generatorTables(terms.kind);
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
  const Affine* vector = generatorVector(terms.kind);
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

Point sumInLanes(const Terms& terms, const VectorCode& code) {
  std::vector<ScalarBytes> scalars(2 + terms.generators.size());
  scalarToBytes(scalars[0].bytes, terms.g);
  scalarToBytes(scalars[1].bytes, terms.h);
  for (size_t i = 0; i < terms.generators.size(); i++) {
    scalarToBytes(scalars[2 + i].bytes, terms.generators[i]);
  }
  const FixedTerms fixed = {terms.kind, scalars.data(), scalars.size()};
  Point total;
  if (!code.sumOfMultiples(&total, fixed, terms.points.data(), terms.scalars.data(),
                           terms.points.size())) {
    throw std::bad_alloc();
  }
  return total;
}

}  // namespace

bool isSumZero(Terms& terms, const VectorCode* code) {
  if (code != nullptr) return isIdentity(timesEight(sumInLanes(terms, *code)));
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

}  // namespace monero
