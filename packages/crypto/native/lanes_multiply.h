// Sums of multiples, each lane with its own points and scalars.
//
// Scalars are cut into signed digits of four bits, in [-8, 7]: adding 0x88…8 once makes every
// nibble of the sum its digit plus 8, so no carry has to be followed. Tables hold 1P … 8P.
#pragma once

#ifdef __AVX512IFMA__
#include "ifma_table.h"
#else
#include "avx2_table.h"
#endif

namespace monero {
namespace MONERO_PATH {

constexpr int NIBBLES = 64;

/** Up to four words per lane, from which digits are read. */
struct DigitWords {
  Lanes word[4];
};

/** A multiple to add in every lane, each from a table of its own. */
struct LaneTerm {
  Places places;
  DigitWords digits;
};

namespace {

constexpr u64 NIBBLE_BIAS = 0x8888888888888888;
constexpr u64 BYTE_BIAS = 0x8080808080808080;

/** The integer of 32 bytes, below 2^253, plus the bias in every word; it stays below 2^256. */
inline void addBias(u64 words[4], const u8* scalar, u64 bias) {
  u128 sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += static_cast<u128>(load64(scalar + 8 * i)) + bias;
    words[i] = static_cast<u64>(sum);
    sum >>= 64;
  }
}

/** The digits of one scalar a lane, whose 32 bytes `scalarOf(lane)` returns. */
template <typename Function>
inline DigitWords digitsOf(const Function& scalarOf, u64 bias) {
  alignas(64) u64 words[4][LANES];
  for (int lane = 0; lane < LANES; lane++) {
    u64 biased[4];
    addBias(biased, scalarOf(lane), bias);
    for (int i = 0; i < 4; i++) words[i][lane] = biased[i];
  }
  DigitWords digits;
  for (int i = 0; i < 4; i++) digits.word[i] = loadLanes(words[i]);
  return digits;
}

inline Lanes nibbleDigit(const DigitWords& digits, int position) {
  const Lanes shifted = shiftRight(digits.word[position / 16], position % 16 * 4);
  return minus(both(shifted, all(15)), all(8));
}

inline Lanes byteDigit(const DigitWords& digits, int position) {
  const Lanes shifted = shiftRight(digits.word[position / 8], position % 8 * 8);
  return minus(both(shifted, all(255)), all(128));
}

inline void fillTable(LaneTable* table, const Points& p) {
  Points multiple = p;
  const CachedPoints step = toCached(p);
  storeEntry(table, 0, step);
  for (int e = 1; e < TABLE_ENTRIES; e++) {
    add<WithT::yes>(&multiple, &multiple, &step);
    storeEntry(table, e, toCached(multiple));
  }
}

/** The places of the lanes in their own table. */
inline Places placesIn(const LaneTable& table) {
  const u64* places[LANES];
  for (int lane = 0; lane < LANES; lane++) places[lane] = table.place(lane);
  return placesOf(places[0], places);
}

/** r += digit·P in every lane, the digits from -8 to 8. */
template <WithT T>
inline void addFromTable(Points* r, const Places& places, Lanes digit) {
  const CachedPoints q = fetch(places, digit);
  add<T>(r, r, &q);
}

/** r += digit·Q from arrays of Affine. */
inline void addFromAffine(Points* r, const Places& places, Lanes digit) {
  const CachedPoints q = fetchAffine(places, digit);
  addAffine<WithT::yes>(r, r, &q);
}

/** One scalar for all lanes, in odd digits. */
struct CommonDigits {
  int8_t value[NAF_LENGTH];
  int top;
};

inline CommonDigits commonDigits(const u8* scalar) {
  CommonDigits digits;
  digits.top = nonAdjacentForm(digits.value, scalar, 5);
  return digits;
}

/** scalar·P in every lane. All lanes add the same multiple, so nothing is looked up. T is not made. */
NEVER_INLINE Points multiplyByCommon(const Points& p, const CommonDigits& scalar) {
  CachedPoints odd[8];
  Points twice, multiple = p;
  doubled<WithT::yes>(&twice, &p);
  const CachedPoints step = toCached(twice);
  odd[0] = toCached(p);
  for (int i = 1; i < 8; i++) {
    add<WithT::yes>(&multiple, &multiple, &step);
    odd[i] = toCached(multiple);
  }
  Points r = identities();
  for (int i = scalar.top; i >= 0; i--) {
    const int digit = scalar.value[i];
    if (digit == 0) {
      doubled<WithT::no>(&r, &r);
      continue;
    }
    doubled<WithT::yes>(&r, &r);
    digit > 0 ? add<WithT::no>(&r, &r, &odd[digit >> 1])
              : subtract<WithT::no>(&r, &r, &odd[-digit >> 1]);
  }
  return r;
}

/** scalar·P in every lane; the scalars, 32 bytes each, are below 2^253. */
inline Points multiply(const Points& p, const u8* const scalars[LANES]) {
  LaneTable table;
  fillTable(&table, p);
  const Places places = placesIn(table);
  const DigitWords digits = digitsOf([&](int lane) { return scalars[lane]; }, NIBBLE_BIAS);
  Points r = identities();
  for (int position = NIBBLES - 1; position >= 0; position--) {
    timesSixteen(&r);
    if (position > 0) {
      addFromTable<WithT::no>(&r, places, nibbleDigit(digits, position));
    } else {
      addFromTable<WithT::yes>(&r, places, nibbleDigit(digits, 0));
    }
  }
  return r;
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
