// Tables of multiples for eight lanes, read with the gather instructions of AVX-512.
#pragma once

#include "lanes_group.h"

namespace monero {
namespace MONERO_PATH {

constexpr int TABLE_ENTRIES = 8;
/** Words of one entry: four coordinates of five limbs of eight lanes. */
constexpr int ENTRY_WORDS = 4 * 5 * LANES;

/** The multiples 1P … 8P in every lane; word [entry][coordinate and limb][lane]. */
struct alignas(64) LaneTable {
  u64 words[TABLE_ENTRIES * ENTRY_WORDS];

  /** Where the multiples of a lane start. */
  const u64* place(int lane) const { return words + lane; }
};

/** Where the multiples of each lane start. */
struct Places {
  const u64* base;
  /** From the base, in words. */
  Lanes offset;
};

namespace {

/** `base` may be any place of the memory block that holds the others. */
inline Places placesOf(const u64* base, const u64* const places[LANES]) {
  return {base, eachLane([&](int lane) { return static_cast<u64>(places[lane] - base); })};
}

/** The place of lane i is i·stride words from the first. */
ALWAYS_INLINE Places evenPlaces(const u64* first, u64 stride) {
  return {first, eachLane([&](int lane) { return static_cast<u64>(lane) * stride; })};
}

inline void storeEntry(LaneTable* table, int entry, const CachedPoints& point) {
  u64* words = table->words + entry * ENTRY_WORDS;
  const Fields* const fields[4] = {&point.plus, &point.minus, &point.Z2, &point.T2d};
  for (const Fields* field : fields) {
    for (const Lanes& limb : field->limb) {
      storeLanes(words, limb);
      words += LANES;
    }
  }
}

/** Five limbs `stride` words apart from the places of the lanes in the mask, else `other`. */
ALWAYS_INLINE Fields gatherLimbs(const u64* words, Lanes offset, int stride, LaneMask mask,
                                 const Field& other) {
  Fields r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    r.limb[i] =
        _mm512_mask_i64gather_epi64(all(other.limb[i]), mask, offset, words + stride * i, 8);
  }
  return r;
}

/** 2p - a in the lanes of the mask: still below 2^52, as an operand of a product must be. */
ALWAYS_INLINE Fields negateToMultiply(LaneMask mask, const Fields& a) {
  Fields r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const Lanes twoP = all(i == 0 ? TWO_P_LOW : TWO_P_HIGH);
    r.limb[i] = _mm512_mask_sub_epi64(a.limb[i], mask, twoP, a.limb[i]);
  }
  return r;
}

/** A digit of every lane, from -128 to 128, split into what finds its multiple. */
struct Lookup {
  LaneMask nonZero, negative;
  /** Of the absolute value, less one. */
  Lanes entry;

  ALWAYS_INLINE explicit Lookup(Lanes digit)
      : nonZero(_mm512_test_epi64_mask(digit, digit)),
        negative(_mm512_movepi64_mask(digit)),
        entry(minus(_mm512_abs_epi64(digit), all(1))) {}

  /** Negative lanes take Y - X for Y + X and the other way round, `distance` words apart. */
  ALWAYS_INLINE Lanes swapped(Lanes offset, LaneMask mask, u64 distance) const {
    return _mm512_mask_add_epi64(offset, mask, offset, all(distance));
  }
};

/** digit·P in every lane, from tables of LaneTable. */
ALWAYS_INLINE CachedPoints fetch(const Places& places, Lanes digit) {
  const Lookup at(digit);
  // ENTRY_WORDS = 160 = 128 + 32
  const Lanes offset =
      plus(places.offset, plus(_mm512_slli_epi64(at.entry, 7), _mm512_slli_epi64(at.entry, 5)));
  static_assert(ENTRY_WORDS == 160, "the shifts above multiply by it");
  constexpr int FIELD_WORDS = 5 * LANES;
  const u64* words = places.base;
  const LaneMask positive = static_cast<LaneMask>(~at.negative);
  CachedPoints q;
  q.plus = gatherLimbs(words, at.swapped(offset, at.negative, FIELD_WORDS), LANES, at.nonZero,
                       FIELD_ONE);
  q.minus =
      gatherLimbs(words, at.swapped(offset, positive, FIELD_WORDS), LANES, at.nonZero, FIELD_ONE);
  q.Z2 = gatherLimbs(words + 2 * FIELD_WORDS, offset, LANES, at.nonZero, {{2, 0, 0, 0, 0}});
  q.T2d = gatherLimbs(words + 3 * FIELD_WORDS, offset, LANES, at.nonZero, FIELD_ZERO);
  q.T2d = negateToMultiply(at.negative, q.T2d);
  return q;
}

/** digit·Q in every lane, from arrays of Affine. Z2 is left out. */
ALWAYS_INLINE CachedPoints fetchAffine(const Places& places, Lanes digit) {
  static_assert(sizeof(Affine) == 15 * 8, "fifteen limbs without gaps");
  const Lookup at(digit);
  const Lanes offset = plus(places.offset, minus(_mm512_slli_epi64(at.entry, 4), at.entry));
  const u64* words = places.base;
  const LaneMask positive = static_cast<LaneMask>(~at.negative);
  CachedPoints q;
  q.plus = gatherLimbs(words, at.swapped(offset, at.negative, 5), 1, at.nonZero, FIELD_ONE);
  q.minus = gatherLimbs(words, at.swapped(offset, positive, 5), 1, at.nonZero, FIELD_ONE);
  q.T2d = gatherLimbs(words + 10, offset, 1, at.nonZero, FIELD_ZERO);
  q.T2d = negateToMultiply(at.negative, q.T2d);
  return q;
}

/** digit·Q without its size: Q or -Q in every lane. Z2 is left out. */
ALWAYS_INLINE CachedPoints spreadAffine(const Affine& q, Lanes digit) {
  const LaneMask negative = _mm512_movepi64_mask(digit);
  const Fields sum = all(q.plus), difference = all(q.minus);
  CachedPoints r;
  r.plus = select(negative, sum, difference);
  r.minus = select(negative, difference, sum);
  r.T2d = negateToMultiply(negative, all(q.xy2d));
  return r;
}

/** The points at the places of the lanes, twenty words each. */
ALWAYS_INLINE Points loadPoints(const u64* const places[LANES]) {
  static_assert(sizeof(Point) == 20 * 8, "twenty limbs without gaps");
  Points r;
  Fields* fields[4] = {&r.X, &r.Y, &r.Z, &r.T};
#pragma GCC unroll 20
  for (int i = 0; i < 20; i++) {
    fields[i / 5]->limb[i % 5] = eachLane([&](int lane) { return places[lane][i]; });
  }
  return r;
}

ALWAYS_INLINE void storePoints(u64* const places[LANES], const Points& p) {
  const Fields* fields[4] = {&p.X, &p.Y, &p.Z, &p.T};
#pragma GCC unroll 20
  for (int i = 0; i < 20; i++) {
    alignas(64) u64 words[LANES];
    storeLanes(words, fields[i / 5]->limb[i % 5]);
    for (int lane = 0; lane < LANES; lane++) places[lane][i] = words[lane];
  }
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
