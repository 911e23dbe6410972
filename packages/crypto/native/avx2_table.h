// Tables of multiples for four lanes. The gather instructions of AVX2 take longer than loads, on some
// processors many times as long, so each lane has a table of its own in the layout of group.h, and
// the words of four entries are loaded in pairs and transposed.
#pragma once

#include "lanes_group.h"

namespace monero {
namespace MONERO_PATH {

constexpr int TABLE_ENTRIES = 8;

/** The multiples 1P … 8P of every lane. */
struct alignas(64) LaneTable {
  Cached entry[LANES][TABLE_ENTRIES];

  /** Where the multiples of a lane start. */
  const u64* place(int lane) const { return entry[lane][0].plus.limb; }
};

/** Where the multiples of each lane start. */
struct Places {
  const u64* lane[LANES];
};

namespace {

/** The first parameter is for gather instructions. */
inline Places placesOf(const u64*, const u64* const places[LANES]) {
  return {{places[0], places[1], places[2], places[3]}};
}

/** The place of lane i is i·stride words from the first. */
ALWAYS_INLINE Places evenPlaces(const u64* first, u64 stride) {
  return {{first, first + stride, first + 2 * stride, first + 3 * stride}};
}

inline void storeEntry(LaneTable* table, int entry, const CachedPoints& point) {
  const auto store = [&](const Fields& field, Field Cached::*member) {
    const Words words = toWords(field);
    for (int i = 0; i < 5; i++) {
      alignas(32) u64 lanes[LANES];
      storeLanes(lanes, words.word[i]);
      for (int k = 0; k < LANES; k++) (table->entry[k][entry].*member).limb[i] = lanes[k];
    }
  };
  store(point.plus, &Cached::plus);
  store(point.minus, &Cached::minus);
  store(point.Z2, &Cached::Z2);
  store(point.T2d, &Cached::T2d);
}

/** Two neighboring words of every lane. */
struct WordPair {
  Lanes first, second;
};

ALWAYS_INLINE WordPair loadPair(const u64* const words[LANES]) {
  const auto load = [](const u64* word) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(word));
  };
  const __m256i even =
      _mm256_inserti128_si256(_mm256_castsi128_si256(load(words[0])), load(words[2]), 1);
  const __m256i odd =
      _mm256_inserti128_si256(_mm256_castsi128_si256(load(words[1])), load(words[3]), 1);
  return {_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)};
}

/** The five words of an element of every lane. */
ALWAYS_INLINE Words loadWords(const u64* const fields[LANES]) {
  const u64 *middle[LANES], *last[LANES];
  for (int k = 0; k < LANES; k++) {
    middle[k] = fields[k] + 2;
    last[k] = fields[k] + 3;
  }
  const WordPair a = loadPair(fields), b = loadPair(middle), c = loadPair(last);
  return {{a.first, a.second, b.first, b.second, c.second}};
}

/** 2p - a in the lanes whose bits are set. */
ALWAYS_INLINE Words negateToMultiply(Lanes bits, const Words& a) {
  Words r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const Lanes twoP = all(i == 0 ? TWO_P_LOW : TWO_P_HIGH);
    r.word[i] = _mm256_blendv_epi8(a.word[i], minus(twoP, a.word[i]), bits);
  }
  return r;
}

/** The multiples of zero. */
constexpr Cached CACHED_IDENTITY = {FIELD_ONE, FIELD_ONE, {{2, 0, 0, 0, 0}}, FIELD_ZERO};
constexpr Affine AFFINE_IDENTITY = {FIELD_ONE, FIELD_ONE, FIELD_ZERO};

/** The entries of `Entry` for digits from -128 to 128; their first fields are Y + X and Y - X. */
template <typename Entry>
struct Lookup {
  const u64* entry[LANES];
  const u64* plus[LANES];
  const u64* minus[LANES];
  /** All bits of the lanes with a negative digit. */
  Lanes negative;

  ALWAYS_INLINE Lookup(const Places& places, Lanes digit, const Entry& identity)
      : negative(_mm256_cmpgt_epi64(zeros(), digit)) {
    constexpr size_t WORDS = sizeof(Entry) / 8;
    alignas(32) int64_t digits[LANES];
    storeLanes(reinterpret_cast<u64*>(digits), digit);
#pragma GCC unroll 4
    for (int k = 0; k < LANES; k++) {
      const bool isNegative = digits[k] < 0;
      const size_t size = static_cast<size_t>(isNegative ? -digits[k] : digits[k]);
      entry[k] = size == 0 ? identity.plus.limb : places.lane[k] + WORDS * (size - 1);
      plus[k] = entry[k] + (isNegative ? 5 : 0);
      minus[k] = entry[k] + (isNegative ? 0 : 5);
    }
  }

  /** The field that starts `words` words into the entries. */
  ALWAYS_INLINE Words load(int words) const {
    const u64* fields[LANES];
    for (int k = 0; k < LANES; k++) fields[k] = entry[k] + words;
    return loadWords(fields);
  }
};

/** digit·P in every lane, from tables of LaneTable. */
ALWAYS_INLINE CachedPoints fetch(const Places& places, Lanes digit) {
  static_assert(sizeof(Cached) == 20 * 8, "twenty limbs without gaps");
  const Lookup<Cached> at(places, digit, CACHED_IDENTITY);
  return {toFields(loadWords(at.plus)), toFields(loadWords(at.minus)), toFields(at.load(10)),
          toFields(negateToMultiply(at.negative, at.load(15)))};
}

/** digit·Q in every lane, from arrays of Affine. Z2 is left out. */
ALWAYS_INLINE CachedPoints fetchAffine(const Places& places, Lanes digit) {
  static_assert(sizeof(Affine) == 15 * 8, "fifteen limbs without gaps");
  const Lookup<Affine> at(places, digit, AFFINE_IDENTITY);
  CachedPoints q;
  q.plus = toFields(loadWords(at.plus));
  q.minus = toFields(loadWords(at.minus));
  q.T2d = toFields(negateToMultiply(at.negative, at.load(10)));
  return q;
}

/** digit·Q without its size: Q or -Q in every lane. Z2 is left out. */
ALWAYS_INLINE CachedPoints spreadAffine(const Affine& q, Lanes digit) {
  const Lanes negative = _mm256_cmpgt_epi64(zeros(), digit);
  Words larger, smaller, product;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const Lanes sum = all(q.plus.limb[i]), difference = all(q.minus.limb[i]);
    larger.word[i] = _mm256_blendv_epi8(sum, difference, negative);
    smaller.word[i] = _mm256_blendv_epi8(difference, sum, negative);
    product.word[i] = all(q.xy2d.limb[i]);
  }
  CachedPoints r;
  r.plus = toFields(larger);
  r.minus = toFields(smaller);
  r.T2d = toFields(negateToMultiply(negative, product));
  return r;
}

/** The points at the places of the lanes, twenty words each. */
ALWAYS_INLINE Points loadPoints(const u64* const places[LANES]) {
  static_assert(sizeof(Point) == 20 * 8, "twenty limbs without gaps");
  Words fields[4];
#pragma GCC unroll 10
  for (int i = 0; i < 20; i += 2) {
    const u64* words[LANES];
    for (int k = 0; k < LANES; k++) words[k] = places[k] + i;
    const WordPair pair = loadPair(words);
    fields[i / 5].word[i % 5] = pair.first;
    fields[(i + 1) / 5].word[(i + 1) % 5] = pair.second;
  }
  return {toFields(fields[0]), toFields(fields[1]), toFields(fields[2]), toFields(fields[3])};
}

ALWAYS_INLINE void storePoints(u64* const places[LANES], const Points& p) {
  const Words fields[4] = {toWords(p.X), toWords(p.Y), toWords(p.Z), toWords(p.T)};
  const auto store = [](u64* word, __m128i pair) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(word), pair);
  };
#pragma GCC unroll 10
  for (int i = 0; i < 20; i += 2) {
    const Lanes first = fields[i / 5].word[i % 5];
    const Lanes second = fields[(i + 1) / 5].word[(i + 1) % 5];
    const __m256i even = _mm256_unpacklo_epi64(first, second);
    const __m256i odd = _mm256_unpackhi_epi64(first, second);
    store(places[0] + i, _mm256_castsi256_si128(even));
    store(places[1] + i, _mm256_castsi256_si128(odd));
    store(places[2] + i, _mm256_extracti128_si256(even, 1));
    store(places[3] + i, _mm256_extracti128_si256(odd, 1));
  }
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
