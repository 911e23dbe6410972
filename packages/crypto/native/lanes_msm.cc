// Sums of many multiples. Every lane takes a term of each group; the lanes are added at the end. One
// chain of doublings serves up to CHUNK points, whose tables then stay in the second-level cache.
#include <stdlib.h>

#include "lanes.h"
#include "lanes_buckets.h"
#include "tables.h"

namespace monero {
namespace MONERO_PATH {

namespace {

/** From this many points on, beside the fixed ones, buckets take less time than tables. */
constexpr size_t FEWEST_FOR_BUCKETS = 360;
/** Groups of points that share the doublings. */
constexpr size_t CHUNK = 32;

size_t groupsOf(size_t count) { return (count + LANES - 1) / LANES; }

/** The digits of the scalars of a group; those past the end are zero. */
DigitWords digitsOfGroup(const ScalarBytes* scalars, size_t count, size_t group, u64 bias) {
  static constexpr u8 ZERO[32] = {};
  const auto scalarOf = [&](int lane) {
    const size_t index = LANES * group + static_cast<size_t>(lane);
    return index < count ? scalars[index].bytes : ZERO;
  };
  return digitsOf(scalarOf, bias);
}

struct Chunk {
  LaneTable tables[CHUNK];
  DigitWords digits[CHUNK];
  size_t groups;
};

void fillChunk(Chunk* chunk, const Point* points, const ScalarBytes* scalars, size_t count) {
  chunk->groups = groupsOf(count);
  for (size_t g = 0; g < chunk->groups; g++) {
    const Point* group[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      const size_t index = LANES * g + static_cast<size_t>(lane);
      group[lane] = &points[index < count ? index : count - 1];
    }
    fillTable(&chunk->tables[g], gatherPoints(group));
    chunk->digits[g] = digitsOfGroup(scalars, count, g, NIBBLE_BIAS);
  }
}

/** Adds one digit of every point of the chunk. */
void addChunk(Points* r, const Chunk& chunk, int position) {
  for (size_t g = 0; g < chunk.groups; g++) {
    addFromTable<WithT::yes>(r, placesIn(chunk.tables[g]), nibbleDigit(chunk.digits[g], position));
  }
}

/** Groups by which the processor is told in advance what it will read: the tables exceed its caches. */
constexpr size_t PREFETCH_GROUPS = 2;

void prefetchFixed(const Affine* tables, const DigitWords& digits, int position) {
  alignas(64) u64 numbers[LANES];
  storeLanes(numbers, byteDigit(digits, position));
  for (int lane = 0; lane < LANES; lane++) {
    const auto number = static_cast<int64_t>(numbers[lane]);
    const int64_t entry = number == 0 ? 0 : (number < 0 ? -number : number) - 1;
    const u64* words = tables[lane * FIXED_MULTIPLES + entry].plus.limb;
    __builtin_prefetch(words);
    __builtin_prefetch(words + 8);
    __builtin_prefetch(words + 14);
  }
}

/** Adds one digit of eight bits of every fixed point. */
void addFixed(Points* r, const Affine* tables, const DigitWords* digits, size_t groups,
              int position) {
  constexpr size_t GROUP = LANES * FIXED_MULTIPLES;
  for (size_t g = 0; g < groups; g++) {
    const size_t ahead = g + PREFETCH_GROUPS;
    if (ahead < groups) prefetchFixed(tables + GROUP * ahead, digits[ahead], position);
    const Places places = evenPlaces(tables[GROUP * g].plus.limb, 15 * FIXED_MULTIPLES);
    addFromAffine(r, places, byteDigit(digits[g], position));
  }
}

Point sumOfLanes(const Points& p) {
  Point points[LANES];
  Point* pointers[LANES];
  for (int lane = 0; lane < LANES; lane++) pointers[lane] = &points[lane];
  scatterPoints(pointers, p);
  Point total = points[0];
  for (int lane = 1; lane < LANES; lane++) total = sum(total, points[lane]);
  return total;
}

bool sumOverTables(Point* result, const FixedTerms& fixed, const Point* points,
                   const ScalarBytes* scalars, size_t count) {
  const Affine* multiples = generatorMultiples(fixed.kind);
  const size_t fixedGroups = groupsOf(fixed.count);
  const size_t digitBytes = (fixedGroups + 1) * sizeof(DigitWords);
  auto* chunk = static_cast<Chunk*>(aligned_alloc(alignof(Chunk), sizeof(Chunk)));
  auto* digits = static_cast<DigitWords*>(aligned_alloc(alignof(DigitWords), digitBytes));
  const bool enough = chunk != nullptr && digits != nullptr;
  if (enough) {
    for (size_t g = 0; g < fixedGroups; g++) {
      digits[g] = digitsOfGroup(fixed.scalars, fixed.count, g, BYTE_BIAS);
    }
    *result = IDENTITY;
    size_t first = 0;
    do {
      const size_t inChunk = count - first < LANES * CHUNK ? count - first : LANES * CHUNK;
      fillChunk(chunk, points + first, scalars + first, inChunk);
      Points total = identities();
      for (int position = NIBBLES - 1; position >= 0; position--) {
        if (position != NIBBLES - 1) timesSixteen(&total);
        if (first == 0 && position % 2 == 0) {
          addFixed(&total, multiples, digits, fixedGroups, position / 2);
        }
        addChunk(&total, *chunk, position);
      }
      *result = sum(*result, sumOfLanes(total));
      first += inChunk;
    } while (first < count);
  }
  free(chunk);
  free(digits);
  return enough;
}

/** What the bucket method needs: all points with their digits. */
struct Memory {
  Affine* points;
  Lanes* digits;
  Buckets* buckets;

  explicit Memory(size_t count)
      : points(static_cast<Affine*>(malloc(count * sizeof(Affine)))),
        digits(static_cast<Lanes*>(aligned_alloc(alignof(Lanes), count * sizeof(Lanes)))),
        buckets(static_cast<Buckets*>(aligned_alloc(alignof(Buckets), sizeof(Buckets)))) {}
  ~Memory() {
    free(points);
    free(digits);
    free(buckets);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  bool isComplete() const { return points != nullptr && digits != nullptr && buckets != nullptr; }
};

bool sumInBuckets(Point* result, const FixedTerms& fixed, const Point* points,
                  const ScalarBytes* scalars, size_t count) {
  Memory memory(fixed.count + count);
  if (!memory.isComplete()) return false;
  for (size_t i = 0; i < fixed.count; i++) {
    memory.points[i] = i == 0   ? baseTables().G[0]
                       : i == 1 ? baseTables().H[0]
                                : generatorVector(fixed.kind)[i - 2];
    memory.digits[i] = bucketDigits(fixed.scalars[i].bytes);
  }
  for (size_t i = 0; i < count; i++) {
    memory.points[fixed.count + i] = toAffine(points[i]);
    memory.digits[fixed.count + i] = bucketDigits(scalars[i].bytes);
  }
  *result = sumByBuckets(memory.points, memory.digits, fixed.count + count, memory.buckets);
  return true;
}

}  // namespace

bool sumOfMultiples(Point* result, const FixedTerms& fixed, const Point* points,
                    const ScalarBytes* scalars, size_t count) {
  return fixed.count <= FIXED_POINTS && count < FEWEST_FOR_BUCKETS
             ? sumOverTables(result, fixed, points, scalars, count)
             : sumInBuckets(result, fixed, points, scalars, count);
}

}  // namespace MONERO_PATH
}  // namespace monero
