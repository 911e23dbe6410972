// Sums of multiples in eight lanes, each lane with its own points and scalars.
//
// Scalars are cut into signed digits of four bits, in [-8, 7]: adding 0x88…8 once makes every
// nibble of the sum its digit plus 8, so no carry has to be followed. Tables hold 1P … 8P.
#pragma once

#include "ifma_group.h"

namespace monero {

constexpr int NIBBLES = 64;
constexpr int TABLE_ENTRIES = 8;
/** Words of one entry of a table of eight points: four coordinates of five limbs of eight lanes. */
constexpr int ENTRY_WORDS = 4 * 5 * 8;
constexpr int TABLE_WORDS = TABLE_ENTRIES * ENTRY_WORDS;

/** Multiples of eight points; word [entry][coordinate and limb][lane]. */
struct alignas(64) Table8 {
  u64 words[TABLE_WORDS];
};

/** Up to four words per lane, from which digits are read. */
struct DigitWords {
  Lanes word[4];
};

/** A multiple to add in every lane: multiples from a table, at a position of its own in every lane. */
struct Term8 {
  const u64* tables;
  /** Offset of the lane's 1P from `tables`, in words. */
  Lanes offset;
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

inline Lanes nibbleDigit(const DigitWords& digits, int position) {
  const Lanes shifted =
      _mm512_srl_epi64(digits.word[position / 16], _mm_cvtsi32_si128(position % 16 * 4));
  return minus(_mm512_and_si512(shifted, all(15)), all(8));
}

inline Lanes byteDigit(const DigitWords& digits, int position) {
  const Lanes shifted =
      _mm512_srl_epi64(digits.word[position / 8], _mm_cvtsi32_si128(position % 8 * 8));
  return minus(_mm512_and_si512(shifted, all(255)), all(128));
}

inline void fillTable(Table8* table, const Point8& p) {
  Point8 multiple = p;
  const Cached8 step = toCached(p);
  Cached8 entry = step;
  for (int e = 0; e < TABLE_ENTRIES; e++) {
    if (e > 0) {
      add<WithT::yes>(&multiple, &multiple, &step, 0);
      entry = toCached(multiple);
    }
    u64* words = table->words + e * ENTRY_WORDS;
    for (int i = 0; i < 5; i++) {
      _mm512_store_si512(words + 8 * i, entry.plus.limb[i]);
      _mm512_store_si512(words + 8 * (5 + i), entry.minus.limb[i]);
      _mm512_store_si512(words + 8 * (10 + i), entry.Z2.limb[i]);
      _mm512_store_si512(words + 8 * (15 + i), entry.T2d.limb[i]);
    }
  }
}

/** Five limbs `stride` words apart from the places of the lanes in the mask, else `other`. */
ALWAYS_INLINE Field8 gatherLimbs(const u64* words, Lanes offset, int stride, LaneMask mask,
                                 const Field& other) {
  Field8 r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    r.limb[i] =
        _mm512_mask_i64gather_epi64(all(other.limb[i]), mask, offset, words + stride * i, 8);
  }
  return r;
}

/** r += digit·P in every lane, the digits from -8 to 8. */
template <WithT T>
inline void addFromTable(Point8* r, const Term8& term, Lanes digit) {
  const LaneMask nonZero = _mm512_test_epi64_mask(digit, digit);
  const Lanes entry = minus(_mm512_abs_epi64(digit), all(1));
  // ENTRY_WORDS = 160 = 128 + 32
  const Lanes offset =
      plus(term.offset, plus(_mm512_slli_epi64(entry, 7), _mm512_slli_epi64(entry, 5)));
  static_assert(ENTRY_WORDS == 160, "the shifts above multiply by it");
  const Cached8 q = {gatherLimbs(term.tables, offset, 8, nonZero, FIELD_ONE),
                     gatherLimbs(term.tables + 40, offset, 8, nonZero, FIELD_ONE),
                     gatherLimbs(term.tables + 80, offset, 8, nonZero, {{2, 0, 0, 0, 0}}),
                     gatherLimbs(term.tables + 120, offset, 8, nonZero, FIELD_ZERO)};
  add<T>(r, r, &q, _mm512_movepi64_mask(digit));
}

/** r += digit·Q from an array of Affine, `offset` words from its start to the lane's 1Q. */
inline void addFromAffine(Point8* r, const Affine* table, Lanes offset, Lanes digit) {
  static_assert(sizeof(Affine) == 15 * 8, "fifteen limbs without gaps");
  const u64* words = table->plus.limb;
  const LaneMask nonZero = _mm512_test_epi64_mask(digit, digit);
  const Lanes entry = minus(_mm512_abs_epi64(digit), all(1));
  const Lanes place = plus(offset, minus(_mm512_slli_epi64(entry, 4), entry));  // 15·entry
  Cached8 q;
  q.plus = gatherLimbs(words, place, 1, nonZero, FIELD_ONE);
  q.minus = gatherLimbs(words + 5, place, 1, nonZero, FIELD_ONE);
  q.T2d = gatherLimbs(words + 10, place, 1, nonZero, FIELD_ZERO);
  addAffine<WithT::yes>(r, r, &q, _mm512_movepi64_mask(digit));
}

/** 0, 1, … 7 */
inline Lanes laneNumbers() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }

/** scalar·P in every lane; the scalars, 32 bytes each, are below 2^253. */
inline Point8 multiply(const Point8& p, const u8* const scalars[8]) {
  Table8 table;
  fillTable(&table, p);
  alignas(64) u64 words[4][8];
  for (int lane = 0; lane < 8; lane++) {
    u64 biased[4];
    addBias(biased, scalars[lane], NIBBLE_BIAS);
    for (int i = 0; i < 4; i++) words[i][lane] = biased[i];
  }
  Term8 term = {table.words, laneNumbers(), {}};
  for (int i = 0; i < 4; i++) term.digits.word[i] = _mm512_load_si512(words[i]);
  Point8 r = identity8();
  for (int position = NIBBLES - 1; position >= 0; position--) {
    timesSixteen(&r);
    if (position > 0) {
      addFromTable<WithT::no>(&r, term, nibbleDigit(term.digits, position));
    } else {
      addFromTable<WithT::yes>(&r, term, nibbleDigit(term.digits, 0));
    }
  }
  return r;
}

}  // namespace
}  // namespace monero
