#include "batch.h"

#include <vector>

#include "lanes.h"
#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

Point pairSum(const PairSum& term) {
  OddMultiples B;
  fillOddMultiples(&B, *term.B);
  if (term.A == pointG()) {
    return sumOfMultiples({nafTerm(term.s, baseTables().G, FIXED_WIDTH), nafTerm(term.c, B)});
  }
  OddMultiples A;
  fillOddMultiples(&A, *term.A);
  return sumOfMultiples({nafTerm(term.s, A), nafTerm(term.c, B)});
}

/** Sums with G come first: groups that have no others take less time. */
void encodeInLanes(ScalarBytes* encoded, const PairSum* sums, size_t count,
                   const VectorCode& code) {
  std::vector<size_t> order;
  order.reserve(count);
  for (const bool withG : {true, false}) {
    for (size_t i = 0; i < count; i++) {
      if ((sums[i].A == pointG()) == withG) order.push_back(i);
    }
  }
  std::vector<PairSum> ordered(count);
  for (size_t i = 0; i < count; i++) ordered[i] = sums[order[i]];
  std::vector<ScalarBytes> results(count);
  code.encodePairSums(results.data(), ordered.data(), count);
  for (size_t i = 0; i < count; i++) encoded[order[i]] = results[i];
}

}  // namespace

const Point* pointG() { return &baseTables().pointG; }

bool decodeAll(Point* points, const u8* const* encoded, size_t count, const VectorCode* code) {
  if (count == 0) return true;
  if (code != nullptr) return code->decodeAll(points, encoded, count);
  for (size_t i = 0; i < count; i++) {
    if (!decode(&points[i], encoded[i])) return false;
  }
  return true;
}

void hashAllToPoints(Point* points, const u8* const* keys, size_t count, const VectorCode* code) {
  if (count == 0) return;
  if (code != nullptr) return code->hashAllToPoints(points, keys, count);
  for (size_t i = 0; i < count; i++) points[i] = hashToPoint(keys[i], 32);
}

void encodeAll(ScalarBytes* encoded, const Point* points, size_t count) {
  if (count == 0) return;
  // products[i] is the product of all Z up to point i.
  std::vector<Field> products(count);
  products[0] = points[0].Z;
  for (size_t i = 1; i < count; i++) products[i] = products[i - 1] * points[i].Z;
  Field inverse = invert(products[count - 1]);
  for (size_t i = count; i-- > 0;) {
    encodeWithInverse(encoded[i].bytes, points[i], i == 0 ? inverse : inverse * products[i - 1]);
    inverse = inverse * points[i].Z;
  }
}

void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count,
                    const VectorCode* code) {
  if (count == 0) return;
  if (code != nullptr) return encodeInLanes(encoded, sums, count, *code);
  std::vector<Point> points(count);
  for (size_t i = 0; i < count; i++) points[i] = pairSum(sums[i]);
  encodeAll(encoded, points.data(), count);
}

}  // namespace monero
