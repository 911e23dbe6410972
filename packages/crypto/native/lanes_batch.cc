// Decoding and multiplying many points, one in each lane; the last group is filled up with copies.
#include "lanes.h"
#include "lanes_multiply.h"
#include "tables.h"

namespace monero {
namespace MONERO_PATH {

namespace {

ALWAYS_INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/** Groups decoded side by side. */
constexpr int GROUPS = 3;

/** One scalar of each sum of a group, with its table. */
LaneTerm termOf(const LaneTable& table, const PairSum* const group[LANES],
                const u8 (PairSum::*scalar)[32]) {
  const auto scalarOf = [&](int lane) { return group[lane]->*scalar; };
  return {placesIn(table), digitsOf(scalarOf, NIBBLE_BIAS)};
}

/** s·G + c·B in every lane. T is not made. */
Points sumWithG(const PairSum* const group[LANES], const LaneTerm& c) {
  const auto scalarOf = [&](int lane) { return group[lane]->s; };
  const DigitWords s = digitsOf(scalarOf, BYTE_BIAS);
  const Places multiplesOfG = evenPlaces(baseMultiples()->plus.limb, 0);
  Points r = identities();
  for (int position = NIBBLES - 1; position >= 0; position--) {
    if (position != NIBBLES - 1) timesSixteen(&r);
    if (position % 2 == 0) addFromAffine(&r, multiplesOfG, byteDigit(s, position / 2));
    addFromTable<WithT::no>(&r, c.places, nibbleDigit(c.digits, position));
  }
  return r;
}

/** The first LANES of `count` sums; fewer are filled up with copies of the last. T is not made. */
Points sumOfGroup(const PairSum* sums, size_t count) {
  const PairSum* group[LANES];
  const Point *A[LANES], *B[LANES];
  bool onlyG = true;
  for (int lane = 0; lane < LANES; lane++) {
    group[lane] = &sums[smaller(lane, count - 1)];
    A[lane] = group[lane]->A;
    B[lane] = group[lane]->B;
    if (A[lane] != pointG()) onlyG = false;
  }
  LaneTable tableA, tableB;
  fillTable(&tableB, gatherPoints(B));
  const LaneTerm c = termOf(tableB, group, &PairSum::c);
  if (onlyG) return sumWithG(group, c);
  fillTable(&tableA, gatherPoints(A));
  const LaneTerm s = termOf(tableA, group, &PairSum::s);
  Points r = identities();
  for (int position = NIBBLES - 1; position >= 0; position--) {
    if (position != NIBBLES - 1) timesSixteen(&r);
    addFromTable<WithT::yes>(&r, s.places, nibbleDigit(s.digits, position));
    addFromTable<WithT::no>(&r, c.places, nibbleDigit(c.digits, position));
  }
  return r;
}

}  // namespace

bool decodeAll(Point* points, const u8* const* encoded, size_t count) {
  for (size_t first = 0; first < count; first += LANES * GROUPS) {
    Decoding decodings[GROUPS];
    Fields powers[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
      const u8* group[LANES];
      for (int lane = 0; lane < LANES; lane++) {
        group[lane] = encoded[smaller(first + LANES * g + lane, count - 1)];
      }
      decodings[g] = startDecoding(group);
      powers[g] = decodings[g].root.uv7;
    }
    powerForRoot<GROUPS>(powers, powers);
    for (int g = 0; g < GROUPS; g++) {
      Points decoded;
      if ((finishDecoding(&decoded, decodings[g], powers[g]) & ALL_LANES) != ALL_LANES)
        return false;
      Point* group[LANES];
      for (int lane = 0; lane < LANES; lane++) {
        group[lane] = &points[smaller(first + LANES * g + lane, count - 1)];
      }
      scatterPoints(group, decoded);
    }
  }
  return true;
}

void multiplyAndEncode(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar) {
  const CommonDigits digits = commonDigits(scalar);
  for (size_t first = 0; first < count; first += LANES) {
    const Point* group[LANES];
    for (int lane = 0; lane < LANES; lane++)
      group[lane] = &points[smaller(first + lane, count - 1)];
    u8 bytes[LANES][32];
    encode(bytes, multiplyByCommon(gatherPoints(group), digits));
    std::memcpy(encoded[first], bytes, 32 * smaller(LANES, count - first));
  }
}

void hashAllToPoints(Point* points, const u8* const* keys, size_t count) {
  for (size_t first = 0; first < count; first += LANES) {
    u8 hashes[LANES][32];
    Point* group[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      const size_t index = smaller(first + lane, count - 1);
      keccak256(hashes[lane], keys[index], 32);
      group[lane] = &points[index];
    }
    const Mapping mapping = startMapping(hashes);
    Fields power;
    powerForRoot<1>(&power, &mapping.root.uv7);
    scatterPoints(group, timesEight(finishMapping(mapping, power)));
  }
}

void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count) {
  for (size_t first = 0; first < count; first += 2 * LANES) {
    const size_t second = smaller(first + LANES, count - 1);
    u8 bytes[2 * LANES][32];
    const Points sum = sumOfGroup(sums + first, count - first);
    if (count - first > LANES) {
      encodePair(bytes, bytes + LANES, sum, sumOfGroup(sums + second, count - second));
    } else {
      encode(bytes, sum);
    }
    std::memcpy(encoded[first].bytes, bytes, 32 * smaller(2 * LANES, count - first));
  }
}

}  // namespace MONERO_PATH
}  // namespace monero
