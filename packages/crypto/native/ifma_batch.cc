// Decoding and multiplying many points, eight at a time; the last group is filled up with copies.
#include "ifma.h"
#include "ifma_multiply.h"

namespace monero {
namespace ifma {

namespace {

ALWAYS_INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/** Groups of eight decoded side by side. */
constexpr int GROUPS = 3;

/** One scalar of each of eight sums, with its table. */
Term8 termOf(const Table8& table, const PairSum* const group[8], const u8 (PairSum::*scalar)[32]) {
  alignas(64) u64 words[4][8];
  for (int lane = 0; lane < 8; lane++) {
    u64 biased[4];
    addBias(biased, group[lane]->*scalar, NIBBLE_BIAS);
    for (int i = 0; i < 4; i++) words[i][lane] = biased[i];
  }
  Term8 term = {table.words, laneNumbers(), {}};
  for (int i = 0; i < 4; i++) term.digits.word[i] = _mm512_load_si512(words[i]);
  return term;
}

/** The first eight of `count` sums; fewer are filled up with copies of the last. T is not made. */
Point8 sumOfGroup(const PairSum* sums, size_t count) {
  const PairSum* group[8];
  const Point *A[8], *B[8];
  for (int lane = 0; lane < 8; lane++) {
    group[lane] = &sums[smaller(lane, count - 1)];
    A[lane] = group[lane]->A;
    B[lane] = group[lane]->B;
  }
  Table8 tableA, tableB;
  fillTable(&tableA, gatherPoints(A));
  fillTable(&tableB, gatherPoints(B));
  const Term8 s = termOf(tableA, group, &PairSum::s), c = termOf(tableB, group, &PairSum::c);
  Point8 r = identity8();
  for (int position = NIBBLES - 1; position >= 0; position--) {
    if (position != NIBBLES - 1) timesSixteen(&r);
    addFromTable<WithT::yes>(&r, s, nibbleDigit(s.digits, position));
    addFromTable<WithT::no>(&r, c, nibbleDigit(c.digits, position));
  }
  return r;
}

}  // namespace

bool decodeAll(Point* points, const u8* const* encoded, size_t count) {
  for (size_t first = 0; first < count; first += 8 * GROUPS) {
    Decoding decodings[GROUPS];
    Field8 powers[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
      const u8* group[8];
      for (int lane = 0; lane < 8; lane++) {
        group[lane] = encoded[smaller(first + 8 * g + lane, count - 1)];
      }
      decodings[g] = startDecoding(group);
      powers[g] = decodings[g].root.uv7;
    }
    powerForRoot<GROUPS>(powers, powers);
    for (int g = 0; g < GROUPS; g++) {
      Point8 decoded;
      if (finishDecoding(&decoded, decodings[g], powers[g]) != 0xff) return false;
      Point* group[8];
      for (int lane = 0; lane < 8; lane++) {
        group[lane] = &points[smaller(first + 8 * g + lane, count - 1)];
      }
      scatterPoints(group, decoded);
    }
  }
  return true;
}

void multiplyAndEncode(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar) {
  const u8* scalars[8];
  for (const u8*& each : scalars) each = scalar;
  for (size_t first = 0; first < count; first += 8) {
    const Point* group[8];
    for (int lane = 0; lane < 8; lane++) group[lane] = &points[smaller(first + lane, count - 1)];
    u8 bytes[8][32];
    encode(bytes, multiply(gatherPoints(group), scalars));
    std::memcpy(encoded[first], bytes, 32 * smaller(8, count - first));
  }
}

void hashAllToPoints(Point* points, const u8* const* keys, size_t count) {
  for (size_t first = 0; first < count; first += 8) {
    u8 hashes[8][32];
    Point* group[8];
    for (int lane = 0; lane < 8; lane++) {
      const size_t index = smaller(first + lane, count - 1);
      keccak256(hashes[lane], keys[index], 32);
      group[lane] = &points[index];
    }
    const Mapping mapping = startMapping(hashes);
    Field8 power;
    powerForRoot<1>(&power, &mapping.root.uv7);
    scatterPoints(group, timesEight(finishMapping(mapping, power)));
  }
}

void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count) {
  for (size_t first = 0; first < count; first += 16) {
    const size_t second = smaller(first + 8, count - 1);
    u8 bytes[16][32];
    const Point8 sum = sumOfGroup(sums + first, count - first);
    if (count - first > 8) {
      encodePair(bytes, bytes + 8, sum, sumOfGroup(sums + second, count - second));
    } else {
      encode(bytes, sum);
    }
    std::memcpy(encoded[first].bytes, bytes, 32 * smaller(16, count - first));
  }
}

}  // namespace ifma
}  // namespace monero
