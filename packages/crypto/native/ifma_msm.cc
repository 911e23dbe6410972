// Sums of many multiples. Every lane takes every eighth term; the lanes are added at the end. One
// chain of doublings serves up to CHUNK points, whose tables then stay in the second-level cache.
#include <stdlib.h>

#include "ifma.h"
#include "ifma_multiply.h"

namespace monero {
namespace ifma {

namespace {

/** Groups of eight points that share the doublings. */
constexpr size_t CHUNK = 32;

size_t groupsOf(size_t count) { return (count + 7) / 8; }

/** The digits of scalars 8·group … 8·group + 7; those past the end are zero. */
DigitWords digitsOf(const ScalarBytes* scalars, size_t count, size_t group) {
  alignas(64) u64 words[4][8];
  for (size_t lane = 0; lane < 8; lane++) {
    u64 biased[4] = {NIBBLE_BIAS, NIBBLE_BIAS, NIBBLE_BIAS, NIBBLE_BIAS};
    const size_t index = 8 * group + lane;
    if (index < count) addBias(biased, scalars[index].bytes, NIBBLE_BIAS);
    for (int i = 0; i < 4; i++) words[i][lane] = biased[i];
  }
  DigitWords digits;
  for (int i = 0; i < 4; i++) digits.word[i] = _mm512_load_si512(words[i]);
  return digits;
}

struct Chunk {
  Table8 tables[CHUNK];
  DigitWords digits[CHUNK];
  size_t groups;
};

void fillChunk(Chunk* chunk, const Point* points, const ScalarBytes* scalars, size_t count) {
  chunk->groups = groupsOf(count);
  for (size_t g = 0; g < chunk->groups; g++) {
    const Point* group[8];
    for (size_t lane = 0; lane < 8; lane++) {
      group[lane] = &points[8 * g + lane < count ? 8 * g + lane : count - 1];
    }
    fillTable(&chunk->tables[g], gatherPoints(group));
    chunk->digits[g] = digitsOf(scalars, count, g);
  }
}

/** Adds one digit of every point of the chunk. */
void addChunk(Point8* r, const Chunk& chunk, int position) {
  for (size_t g = 0; g < chunk.groups; g++) {
    const Term8 term = {chunk.tables[g].words, laneNumbers(), chunk.digits[g]};
    addFromTable<WithT::yes>(r, term, nibbleDigit(term.digits, position));
  }
}

/** Adds one digit of every fixed point. */
void addFixed(Point8* r, const Affine* tables, const DigitWords* digits, size_t groups,
              int position) {
  constexpr u64 WORDS = 15 * FIXED_MULTIPLES;
  Lanes offset =
      _mm512_set_epi64(7 * WORDS, 6 * WORDS, 5 * WORDS, 4 * WORDS, 3 * WORDS, 2 * WORDS, WORDS, 0);
  for (size_t g = 0; g < groups; g++) {
    addFromAffine(r, tables, offset, nibbleDigit(digits[g], position));
    offset = plus(offset, all(8 * WORDS));
  }
}

Point sumOfLanes(const Point8& p) {
  Point points[8];
  Point* pointers[8];
  for (int lane = 0; lane < 8; lane++) pointers[lane] = &points[lane];
  scatterPoints(pointers, p);
  Point total = points[0];
  for (int lane = 1; lane < 8; lane++) total = sum(total, points[lane]);
  return total;
}

}  // namespace

bool sumOfMultiples(Point* result, const FixedTerms& fixed, const Point* points,
                    const ScalarBytes* scalars, size_t count) {
  const size_t fixedGroups = groupsOf(fixed.count);
  const size_t digitBytes = (fixedGroups + 1) * sizeof(DigitWords);
  auto* chunk = static_cast<Chunk*>(aligned_alloc(alignof(Chunk), sizeof(Chunk)));
  auto* digits = static_cast<DigitWords*>(aligned_alloc(alignof(DigitWords), digitBytes));
  const bool enough = chunk != nullptr && digits != nullptr;
  if (enough) {
    for (size_t g = 0; g < fixedGroups; g++) digits[g] = digitsOf(fixed.scalars, fixed.count, g);
    *result = IDENTITY;
    size_t first = 0;
    do {
      const size_t inChunk = count - first < 8 * CHUNK ? count - first : 8 * CHUNK;
      fillChunk(chunk, points + first, scalars + first, inChunk);
      Point8 total = identity8();
      for (int position = NIBBLES - 1; position >= 0; position--) {
        if (position != NIBBLES - 1) timesSixteen(&total);
        if (first == 0) addFixed(&total, fixed.tables, digits, fixedGroups, position);
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

}  // namespace ifma
}  // namespace monero
