#include "ownership.h"

#include <vector>

#include "lanes.h"
#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

void hashBlock(u8 hash[32], const u8 block[KECCAK_RATE]) {
  u64 state[25] = {};
  std::memcpy(state, block, KECCAK_RATE);
  keccakPermute(state);
  std::memcpy(hash, state, 32);
}

bool mayBelong(const Candidate& candidate) {
  if (candidate.viewTag == NO_VIEW_TAG) return true;
  u8 block[KECCAK_RATE], hash[32];
  viewTagBlock(block, candidate);
  hashBlock(hash, block);
  return hash[0] == candidate.viewTag;
}

/** P - Hs(derivation ‖ index)·G; false if P is not a point. */
bool spendKey(Point* r, const Candidate& candidate) {
  Point key;
  if (!decode(&key, candidate.key)) return false;
  u8 block[KECCAK_RATE], hash[32];
  scalarBlock(block, candidate);
  hashBlock(hash, block);
  scalarToBytes(hash, scalarFromBytes(hash));
  const Point shift = sumOfMultiples({nafTerm(hash, baseTables().G, FIXED_WIDTH)});
  *r = difference(key, shift);
  return true;
}

/** Encodes the points and writes each to the place of the item that it belongs to. */
void encodeTo(ScalarBytes* results, const std::vector<Point>& points,
              const std::vector<size_t>& places) {
  std::vector<ScalarBytes> encoded(points.size());
  encodeAll(encoded.data(), points.data(), points.size());
  for (size_t i = 0; i < points.size(); i++) results[places[i]] = encoded[i];
}

/** G is passed by its own address, for which multiples are at hand. */
bool decodeTerm(const Point** r, Point* storage, const u8* bytes) {
  if (std::memcmp(bytes, G_BYTES, 32) == 0) {
    *r = pointG();
    return true;
  }
  *r = storage;
  return decode(storage, bytes);
}

}  // namespace

void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret, const VectorCode* code) {
  if (count == 0) return;
  if (code != nullptr) return code->keyDerivations(derivations, answers, points, count, secret);
  OddMultiples table;
  NafTerm term = nafTerm(secret, table);
  std::vector<Point> products;
  std::vector<size_t> places;
  for (size_t i = 0; i < count; i++) {
    Point point;
    answers[i] = decode(&point, points + 32 * i) ? 1 : 0;
    if (answers[i] == 0) continue;
    fillOddMultiples(&table, point);
    products.push_back(timesEight(sumOfMultiples({term})));
    places.push_back(i);
  }
  encodeTo(derivations, products, places);
}

void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count,
               const VectorCode* code) {
  if (count == 0) return;
  if (code != nullptr) return code->spendKeys(keys, answers, candidates, count);
  std::vector<Point> points;
  std::vector<size_t> places;
  for (size_t i = 0; i < count; i++) {
    Point point;
    answers[i] = mayBelong(candidates[i]) && spendKey(&point, candidates[i]) ? 1 : 0;
    if (answers[i] == 0) continue;
    points.push_back(point);
    places.push_back(i);
  }
  encodeTo(keys, points, places);
}

void addMultiples(ScalarBytes* results, u8* answers, const EncodedSum* sums, size_t count,
                  const VectorCode* code) {
  std::vector<Point> storage(2 * count);
  std::vector<PairSum> pairs;
  std::vector<size_t> places;
  for (size_t i = 0; i < count; i++) {
    const EncodedSum& sum = sums[i];
    PairSum pair;
    answers[i] = isCanonicalScalar(sum.a) && isCanonicalScalar(sum.b) &&
                         decodeTerm(&pair.A, &storage[2 * i], sum.A) &&
                         decodeTerm(&pair.B, &storage[2 * i + 1], sum.B)
                     ? 1
                     : 0;
    if (answers[i] == 0) continue;
    std::memcpy(pair.s, sum.a, 32);
    std::memcpy(pair.c, sum.b, 32);
    pairs.push_back(pair);
    places.push_back(i);
  }
  std::vector<ScalarBytes> encoded(pairs.size());
  encodePairSums(encoded.data(), pairs.data(), pairs.size(), code);
  for (size_t i = 0; i < pairs.size(); i++) results[places[i]] = encoded[i];
}

}  // namespace monero
