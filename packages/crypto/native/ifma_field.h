// Eight elements of the field modulo p = 2^255 - 19 at a time, one in each 64-bit lane of AVX-512
// registers, in five limbs of 51 bits as in field.h.
//
// The IFMA instructions multiply the low 52 bits of two lanes and add the low or the high 52 bits
// of the 104-bit product, so every limb that is multiplied must stay below 2^52. All functions here
// take and return "reduced" elements, with limbs below 2^51 + 2^18, unless they say otherwise; a sum
// of two could reach 2^52, so sums and differences are carried at once.
#pragma once

#include <immintrin.h>

#include "field.h"

namespace monero {
namespace MONERO_PATH {

/** One 64-bit word in each of eight lanes. */
using Lanes = __m512i;
constexpr int LANES = 8;
/** One bit per lane. */
using LaneMask = __mmask8;
constexpr LaneMask ALL_LANES = 0xff;

struct Fields {
  Lanes limb[5];
};

/** Elements in words of 51 bits as in field.h. */
struct Words {
  Lanes word[5];
};

/** Columns of a product that have not been carried; limbs below 2^61. */
struct Columns {
  Lanes column[5];
};

namespace {

ALWAYS_INLINE Lanes all(u64 word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
ALWAYS_INLINE Lanes zeros() { return _mm512_setzero_si512(); }
ALWAYS_INLINE Lanes plus(Lanes a, Lanes b) { return _mm512_add_epi64(a, b); }
ALWAYS_INLINE Lanes minus(Lanes a, Lanes b) { return _mm512_sub_epi64(a, b); }
ALWAYS_INLINE Lanes both(Lanes a, Lanes b) { return _mm512_and_si512(a, b); }
ALWAYS_INLINE Lanes either(Lanes a, Lanes b) { return _mm512_or_si512(a, b); }
ALWAYS_INLINE Lanes differing(Lanes a, Lanes b) { return _mm512_xor_si512(a, b); }
ALWAYS_INLINE Lanes differing(Lanes a, Lanes b, Lanes c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
/** a ^ (~b & c) */
ALWAYS_INLINE Lanes chi(Lanes a, Lanes b, Lanes c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0xd2);
}
template <int N>
ALWAYS_INLINE Lanes rotate(Lanes a) {
  return _mm512_rol_epi64(a, N);
}
template <int N>
ALWAYS_INLINE Lanes shiftRight(Lanes a) {
  return _mm512_srli_epi64(a, N);
}
ALWAYS_INLINE Lanes shiftRight(Lanes a, int bits) {
  return _mm512_srl_epi64(a, _mm_cvtsi32_si128(bits));
}
ALWAYS_INLINE Lanes loadLanes(const u64* words) { return _mm512_load_si512(words); }
ALWAYS_INLINE void storeLanes(u64* words, Lanes a) { _mm512_store_si512(words, a); }
/** The words that a function returns for the lanes. */
template <typename Function>
ALWAYS_INLINE Lanes eachLane(const Function& word) {
  const auto signedWord = [&](int lane) { return static_cast<long long>(word(lane)); };
  return _mm512_set_epi64(signedWord(7), signedWord(6), signedWord(5), signedWord(4), signedWord(3),
                          signedWord(2), signedWord(1), signedWord(0));
}
/** Lane i of the result is lane (i + distance) mod 8. */
ALWAYS_INLINE Lanes rotateLanes(Lanes a, int distance) {
  const Lanes lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  // Of the index it reads the low three bits.
  return _mm512_permutexvar_epi64(plus(lane, all(static_cast<u64>(distance))), a);
}
ALWAYS_INLINE LaneMask zeroLanes(Lanes a) { return _mm512_testn_epi64_mask(a, a); }
ALWAYS_INLINE LaneMask oddLanes(Lanes a) { return _mm512_test_epi64_mask(a, all(1)); }
/** sum + the low 52 bits of a·b */
ALWAYS_INLINE Lanes addLow(Lanes sum, Lanes a, Lanes b) { return _mm512_madd52lo_epu64(sum, a, b); }
/** sum + a·b / 2^52 */
ALWAYS_INLINE Lanes addHigh(Lanes sum, Lanes a, Lanes b) {
  return _mm512_madd52hi_epu64(sum, a, b);
}

/** sum + 19·a, for a below 2^47. */
ALWAYS_INLINE Lanes addTimes19(Lanes sum, Lanes a) { return addLow(sum, a, all(19)); }

/** Carries once in parallel: any limbs become reduced. */
ALWAYS_INLINE Fields carry(Lanes t0, Lanes t1, Lanes t2, Lanes t3, Lanes t4) {
  const Lanes mask = all(MASK51);
  const Lanes c0 = _mm512_srli_epi64(t0, 51), c1 = _mm512_srli_epi64(t1, 51),
              c2 = _mm512_srli_epi64(t2, 51), c3 = _mm512_srli_epi64(t3, 51),
              c4 = _mm512_srli_epi64(t4, 51);
  return {{addLow(_mm512_and_si512(t0, mask), c4, all(19)), plus(_mm512_and_si512(t1, mask), c0),
           plus(_mm512_and_si512(t2, mask), c1), plus(_mm512_and_si512(t3, mask), c2),
           plus(_mm512_and_si512(t4, mask), c3)}};
}

ALWAYS_INLINE Fields carry(const Fields& a) {
  return carry(a.limb[0], a.limb[1], a.limb[2], a.limb[3], a.limb[4]);
}

/** a + b, not carried: only for further sums. */
ALWAYS_INLINE Fields addLazily(const Fields& a, const Fields& b) {
  return {{plus(a.limb[0], b.limb[0]), plus(a.limb[1], b.limb[1]), plus(a.limb[2], b.limb[2]),
           plus(a.limb[3], b.limb[3]), plus(a.limb[4], b.limb[4])}};
}

ALWAYS_INLINE Fields operator+(const Fields& a, const Fields& b) { return carry(addLazily(a, b)); }

/** a - b through a + 2p - b; a may be a lazy sum. */
ALWAYS_INLINE Fields operator-(const Fields& a, const Fields& b) {
  const Lanes low = all(TWO_P_LOW), high = all(TWO_P_HIGH);
  return carry(minus(plus(a.limb[0], low), b.limb[0]), minus(plus(a.limb[1], high), b.limb[1]),
               minus(plus(a.limb[2], high), b.limb[2]), minus(plus(a.limb[3], high), b.limb[3]),
               minus(plus(a.limb[4], high), b.limb[4]));
}

/** A sum or a difference of reduced elements as an operand of a product. */
ALWAYS_INLINE Fields sumToMultiply(const Fields& a, const Fields& b) { return a + b; }
ALWAYS_INLINE Fields differenceToMultiply(const Fields& a, const Fields& b) { return a - b; }

// Products. With low[k] and high[k] the sums of the two halves of a_i·b_j over i + j = k, column k
// of the product is low[k] + 2·high[k-1], since 2^52 is twice the radix. Columns 5 to 9 come back
// as 19 times columns 0 to 4:
//
//   upper[k] = low[k+5] + 2·high[k+4]
//   column k = low[k] + 2·high[k-1] + 19·upper[k]
//            = low[k] + upper[k] + 2·(high[k-1] + upper[k] + 8·upper[k])
//
// All sums are below 2^61: upper[k] < 5·2^52 + 10·2^52 < 2^56, and 20·2^56 < 2^61.

/** 2·(high + 9·upper) + upper */
ALWAYS_INLINE Lanes foldUpper(Lanes high, Lanes upper) {
  const Lanes inner = plus(plus(high, upper), _mm512_slli_epi64(upper, 3));
  return plus(plus(inner, inner), upper);
}

/** The sum of a_i·b_j over i + j = k, from i = FIRST to LAST, low halves onto `sum`. */
template <int K, int FIRST, int LAST>
ALWAYS_INLINE Lanes lowColumn(Lanes sum, const Fields& a, const Fields& b) {
#pragma GCC unroll 5
  for (int i = FIRST; i <= LAST; i++) sum = addLow(sum, a.limb[i], b.limb[K - i]);
  return sum;
}

template <int K, int FIRST, int LAST>
ALWAYS_INLINE Lanes highColumn(Lanes sum, const Fields& a, const Fields& b) {
#pragma GCC unroll 5
  for (int i = FIRST; i <= LAST; i++) sum = addHigh(sum, a.limb[i], b.limb[K - i]);
  return sum;
}

template <int K>
ALWAYS_INLINE Lanes productColumn(const Fields& a, const Fields& b) {
  const Lanes zero = _mm512_setzero_si512();
  const Lanes high = highColumn<K + 4, K, 4>(zero, a, b);
  const Lanes upper = lowColumn<K + 5, K + 1, 4>(plus(high, high), a, b);
  const Lanes below = highColumn<K - 1, 0, K - 1>(zero, a, b);
  return lowColumn<K, 0, K>(foldUpper(below, upper), a, b);
}

ALWAYS_INLINE Columns columns(const Fields& a, const Fields& b) {
  return {{productColumn<0>(a, b), productColumn<1>(a, b), productColumn<2>(a, b),
           productColumn<3>(a, b), productColumn<4>(a, b)}};
}

ALWAYS_INLINE Fields carry(const Columns& t) {
  return carry(t.column[0], t.column[1], t.column[2], t.column[3], t.column[4]);
}

ALWAYS_INLINE Fields operator*(const Fields& a, const Fields& b) { return carry(columns(a, b)); }

/** Twice the cross products a_i·a_j, i < j, i + j = K, and the square in the middle, onto 2·`sum`. */
template <int K, int FIRST>
ALWAYS_INLINE Lanes lowSquares(Lanes sum, const Fields& a) {
#pragma GCC unroll 3
  for (int i = FIRST; 2 * i < K; i++) sum = addLow(sum, a.limb[i], a.limb[K - i]);
  sum = plus(sum, sum);
  return K % 2 == 0 ? addLow(sum, a.limb[K / 2], a.limb[K / 2]) : sum;
}

template <int K, int FIRST>
ALWAYS_INLINE Lanes highSquares(const Fields& a) {
  Lanes sum = _mm512_setzero_si512();
#pragma GCC unroll 3
  for (int i = FIRST; 2 * i < K; i++) sum = addHigh(sum, a.limb[i], a.limb[K - i]);
  sum = plus(sum, sum);
  return K % 2 == 0 ? addHigh(sum, a.limb[K / 2], a.limb[K / 2]) : sum;
}

/** low[k] + 2·high[k-1] + 19·upper[k] as above; 2·(sum) + middle takes `upper` in on the way. */
template <int K>
ALWAYS_INLINE Lanes squareColumn(const Fields& a) {
  const Lanes high = highSquares<K + 4, K>(a);
  const Lanes upper = K == 4 ? plus(high, high) : lowSquares<(K == 4 ? 8 : K + 5), K + 1>(high, a);
  Lanes below = plus(upper, _mm512_slli_epi64(upper, 3));
  if (K > 0) below = plus(below, highSquares<(K > 0 ? K - 1 : 0), 0>(a));
  // lowSquares doubles what it is given: 2·(high[k-1] + 9·upper) and the cross products.
  return plus(lowSquares<K, 0>(below, a), upper);
}

ALWAYS_INLINE Columns squareColumns(const Fields& a) {
  return {{squareColumn<0>(a), squareColumn<1>(a), squareColumn<2>(a), squareColumn<3>(a),
           squareColumn<4>(a)}};
}

ALWAYS_INLINE Fields square(const Fields& a) { return carry(squareColumns(a)); }

// Sums and differences of products are carried once, not each product before them as well.

/** a + b, still columns; as an operand of another sum or difference it counts twice. */
ALWAYS_INLINE Columns addColumns(const Columns& a, const Columns& b) {
  Columns r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.column[i] = plus(a.column[i], b.column[i]);
  return r;
}

/** a + b, carried. */
ALWAYS_INLINE Fields total(const Columns& a, const Columns& b) { return carry(addColumns(a, b)); }

/** 2a as columns. */
ALWAYS_INLINE Columns twice(const Fields& a) {
  Columns r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.column[i] = plus(a.limb[i], a.limb[i]);
  return r;
}

/** a - b, where a may be a sum of three products: 2^11·p is added, its limbs near 2^62. */
ALWAYS_INLINE Fields difference(const Columns& a, const Columns& b) {
  const Lanes low = all((MASK51 - 18) << 11), high = all(MASK51 << 11);
  // clang-format off
  return carry(minus(plus(a.column[0], low), b.column[0]),
               minus(plus(a.column[1], high), b.column[1]),
               minus(plus(a.column[2], high), b.column[2]),
               minus(plus(a.column[3], high), b.column[3]),
               minus(plus(a.column[4], high), b.column[4]));
  // clang-format on
}

/** 2xy; the AVX2 code makes use of the columns of x² and y². */
ALWAYS_INLINE Fields doubleProduct(const Fields& x, const Fields& y, const Columns&,
                                   const Columns&) {
  const Columns xy = columns(x, y);
  return carry(addColumns(xy, xy));
}

ALWAYS_INLINE Words toWords(const Fields& a) {
  return {{a.limb[0], a.limb[1], a.limb[2], a.limb[3], a.limb[4]}};
}
ALWAYS_INLINE Fields toFields(const Words& a) {
  return {{a.word[0], a.word[1], a.word[2], a.word[3], a.word[4]}};
}

ALWAYS_INLINE Fields all(const Field& a) {
  return {{all(a.limb[0]), all(a.limb[1]), all(a.limb[2]), all(a.limb[3]), all(a.limb[4])}};
}

/** Lane for lane b where the mask is set, else a. */
ALWAYS_INLINE Fields select(LaneMask mask, const Fields& a, const Fields& b) {
  Fields r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_mask_mov_epi64(a.limb[i], mask, b.limb[i]);
  return r;
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
