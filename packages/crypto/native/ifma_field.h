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

/** One 64-bit word in each of eight lanes. */
using Lanes = __m512i;
/** One bit per lane. */
using LaneMask = __mmask8;

struct Field8 {
  Lanes limb[5];
};

namespace {

ALWAYS_INLINE Lanes all(u64 word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
ALWAYS_INLINE Lanes plus(Lanes a, Lanes b) { return _mm512_add_epi64(a, b); }
ALWAYS_INLINE Lanes minus(Lanes a, Lanes b) { return _mm512_sub_epi64(a, b); }
/** sum + the low 52 bits of a·b */
ALWAYS_INLINE Lanes addLow(Lanes sum, Lanes a, Lanes b) { return _mm512_madd52lo_epu64(sum, a, b); }
/** sum + a·b / 2^52 */
ALWAYS_INLINE Lanes addHigh(Lanes sum, Lanes a, Lanes b) {
  return _mm512_madd52hi_epu64(sum, a, b);
}

/** Carries once in parallel: any limbs become reduced. */
ALWAYS_INLINE Field8 carry(Lanes t0, Lanes t1, Lanes t2, Lanes t3, Lanes t4) {
  const Lanes mask = all(MASK51);
  const Lanes c0 = _mm512_srli_epi64(t0, 51), c1 = _mm512_srli_epi64(t1, 51),
              c2 = _mm512_srli_epi64(t2, 51), c3 = _mm512_srli_epi64(t3, 51),
              c4 = _mm512_srli_epi64(t4, 51);
  return {{addLow(_mm512_and_si512(t0, mask), c4, all(19)), plus(_mm512_and_si512(t1, mask), c0),
           plus(_mm512_and_si512(t2, mask), c1), plus(_mm512_and_si512(t3, mask), c2),
           plus(_mm512_and_si512(t4, mask), c3)}};
}

ALWAYS_INLINE Field8 carry(const Field8& a) {
  return carry(a.limb[0], a.limb[1], a.limb[2], a.limb[3], a.limb[4]);
}

/** a + b, not carried: only for further sums. */
ALWAYS_INLINE Field8 addLazily(const Field8& a, const Field8& b) {
  return {{plus(a.limb[0], b.limb[0]), plus(a.limb[1], b.limb[1]), plus(a.limb[2], b.limb[2]),
           plus(a.limb[3], b.limb[3]), plus(a.limb[4], b.limb[4])}};
}

ALWAYS_INLINE Field8 operator+(const Field8& a, const Field8& b) { return carry(addLazily(a, b)); }

/** a - b through a + 2p - b; a may be a lazy sum. */
ALWAYS_INLINE Field8 operator-(const Field8& a, const Field8& b) {
  const Lanes low = all(TWO_P_LOW), high = all(TWO_P_HIGH);
  return carry(minus(plus(a.limb[0], low), b.limb[0]), minus(plus(a.limb[1], high), b.limb[1]),
               minus(plus(a.limb[2], high), b.limb[2]), minus(plus(a.limb[3], high), b.limb[3]),
               minus(plus(a.limb[4], high), b.limb[4]));
}

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
ALWAYS_INLINE Lanes lowColumn(Lanes sum, const Field8& a, const Field8& b) {
#pragma GCC unroll 5
  for (int i = FIRST; i <= LAST; i++) sum = addLow(sum, a.limb[i], b.limb[K - i]);
  return sum;
}

template <int K, int FIRST, int LAST>
ALWAYS_INLINE Lanes highColumn(Lanes sum, const Field8& a, const Field8& b) {
#pragma GCC unroll 5
  for (int i = FIRST; i <= LAST; i++) sum = addHigh(sum, a.limb[i], b.limb[K - i]);
  return sum;
}

template <int K>
ALWAYS_INLINE Lanes productColumn(const Field8& a, const Field8& b) {
  const Lanes zero = _mm512_setzero_si512();
  const Lanes high = highColumn<K + 4, K, 4>(zero, a, b);
  const Lanes upper = lowColumn<K + 5, K + 1, 4>(plus(high, high), a, b);
  const Lanes below = highColumn<K - 1, 0, K - 1>(zero, a, b);
  return lowColumn<K, 0, K>(foldUpper(below, upper), a, b);
}

/** Columns of a product that have not been carried; limbs below 2^61. */
struct Columns8 {
  Lanes column[5];
};

ALWAYS_INLINE Columns8 columns(const Field8& a, const Field8& b) {
  return {{productColumn<0>(a, b), productColumn<1>(a, b), productColumn<2>(a, b),
           productColumn<3>(a, b), productColumn<4>(a, b)}};
}

ALWAYS_INLINE Field8 carry(const Columns8& t) {
  return carry(t.column[0], t.column[1], t.column[2], t.column[3], t.column[4]);
}

ALWAYS_INLINE Field8 operator*(const Field8& a, const Field8& b) { return carry(columns(a, b)); }

/** Twice the cross products a_i·a_j, i < j, i + j = K, and the square in the middle, onto 2·`sum`. */
template <int K, int FIRST>
ALWAYS_INLINE Lanes lowSquares(Lanes sum, const Field8& a) {
#pragma GCC unroll 3
  for (int i = FIRST; 2 * i < K; i++) sum = addLow(sum, a.limb[i], a.limb[K - i]);
  sum = plus(sum, sum);
  return K % 2 == 0 ? addLow(sum, a.limb[K / 2], a.limb[K / 2]) : sum;
}

template <int K, int FIRST>
ALWAYS_INLINE Lanes highSquares(const Field8& a) {
  Lanes sum = _mm512_setzero_si512();
#pragma GCC unroll 3
  for (int i = FIRST; 2 * i < K; i++) sum = addHigh(sum, a.limb[i], a.limb[K - i]);
  sum = plus(sum, sum);
  return K % 2 == 0 ? addHigh(sum, a.limb[K / 2], a.limb[K / 2]) : sum;
}

/** low[k] + 2·high[k-1] + 19·upper[k] as above; 2·(sum) + middle takes `upper` in on the way. */
template <int K>
ALWAYS_INLINE Lanes squareColumn(const Field8& a) {
  const Lanes high = highSquares<K + 4, K>(a);
  const Lanes upper = K == 4 ? plus(high, high) : lowSquares<(K == 4 ? 8 : K + 5), K + 1>(high, a);
  Lanes below = plus(upper, _mm512_slli_epi64(upper, 3));
  if (K > 0) below = plus(below, highSquares<(K > 0 ? K - 1 : 0), 0>(a));
  // lowSquares doubles what it is given: 2·(high[k-1] + 9·upper) and the cross products.
  return plus(lowSquares<K, 0>(below, a), upper);
}

ALWAYS_INLINE Columns8 squareColumns(const Field8& a) {
  return {{squareColumn<0>(a), squareColumn<1>(a), squareColumn<2>(a), squareColumn<3>(a),
           squareColumn<4>(a)}};
}

ALWAYS_INLINE Field8 square(const Field8& a) { return carry(squareColumns(a)); }

// Sums and differences of products are carried once, not each product before them as well.

/** a + b, still columns; as an operand of another sum or difference it counts twice. */
ALWAYS_INLINE Columns8 addColumns(const Columns8& a, const Columns8& b) {
  Columns8 r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.column[i] = plus(a.column[i], b.column[i]);
  return r;
}

/** 2a as columns. */
ALWAYS_INLINE Columns8 twice(const Field8& a) {
  Columns8 r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.column[i] = plus(a.limb[i], a.limb[i]);
  return r;
}

/** a - b, where a may be a sum of three products: 2^11·p is added, its limbs near 2^62. */
ALWAYS_INLINE Field8 difference(const Columns8& a, const Columns8& b) {
  const Lanes low = all((MASK51 - 18) << 11), high = all(MASK51 << 11);
  // clang-format off
  return carry(minus(plus(a.column[0], low), b.column[0]),
               minus(plus(a.column[1], high), b.column[1]),
               minus(plus(a.column[2], high), b.column[2]),
               minus(plus(a.column[3], high), b.column[3]),
               minus(plus(a.column[4], high), b.column[4]));
  // clang-format on
}

ALWAYS_INLINE Field8 all(const Field& a) {
  return {{all(a.limb[0]), all(a.limb[1]), all(a.limb[2]), all(a.limb[3]), all(a.limb[4])}};
}

/** Lane for lane b where the mask is set, else a. */
ALWAYS_INLINE Field8 select(LaneMask mask, const Field8& a, const Field8& b) {
  Field8 r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_mask_mov_epi64(a.limb[i], mask, b.limb[i]);
  return r;
}

/** The representative below p in every lane; see canonical in field.h. */
inline Field8 canonical(const Field8& a) {
  const Lanes mask = all(MASK51);
  Field8 t = a;
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 4; i++) {
      t.limb[i + 1] = plus(t.limb[i + 1], _mm512_srli_epi64(t.limb[i], 51));
      t.limb[i] = _mm512_and_si512(t.limb[i], mask);
    }
    t.limb[0] = addLow(t.limb[0], _mm512_srli_epi64(t.limb[4], 51), all(19));
    t.limb[4] = _mm512_and_si512(t.limb[4], mask);
  }
  Lanes c = _mm512_srli_epi64(plus(t.limb[0], all(19)), 51);
  for (int i = 1; i < 5; i++) c = _mm512_srli_epi64(plus(t.limb[i], c), 51);
  t.limb[0] = addLow(t.limb[0], c, all(19));
  for (int i = 0; i < 4; i++) {
    t.limb[i + 1] = plus(t.limb[i + 1], _mm512_srli_epi64(t.limb[i], 51));
    t.limb[i] = _mm512_and_si512(t.limb[i], mask);
  }
  t.limb[4] = _mm512_and_si512(t.limb[4], mask);
  return t;
}

inline LaneMask isZero(const Field8& a) {
  const Field8 t = canonical(a);
  const Lanes any = _mm512_or_si512(
      _mm512_or_si512(_mm512_or_si512(t.limb[0], t.limb[1]), _mm512_or_si512(t.limb[2], t.limb[3])),
      t.limb[4]);
  return _mm512_testn_epi64_mask(any, any);
}

inline LaneMask isEqual(const Field8& a, const Field8& b) { return isZero(a - b); }

inline LaneMask isOdd(const Field8& a) {
  return _mm512_test_epi64_mask(canonical(a).limb[0], all(1));
}

/** Negates the lanes of the mask. */
ALWAYS_INLINE Field8 negateIf(LaneMask mask, const Field8& a) {
  return select(mask, a, all(FIELD_ZERO) - a);
}

/** Lane `lane` of the result is element `lane`. */
inline Field8 gatherFields(const Field* const elements[8]) {
  alignas(64) u64 words[5][8];
  for (int lane = 0; lane < 8; lane++) {
    for (int i = 0; i < 5; i++) words[i][lane] = elements[lane]->limb[i];
  }
  Field8 r;
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_load_si512(words[i]);
  return r;
}

inline void scatterFields(Field* const elements[8], const Field8& a) {
  alignas(64) u64 words[5][8];
  for (int i = 0; i < 5; i++) _mm512_store_si512(words[i], a.limb[i]);
  for (int lane = 0; lane < 8; lane++) {
    for (int i = 0; i < 5; i++) elements[lane]->limb[i] = words[i][lane];
  }
}

/** a_n^(2^times) for N elements side by side: one alone would wait for its own results. */
template <int N>
NEVER_INLINE void squareTimes(Field8* r, const Field8* a, int times) {
  Field8 t[N];
  for (int n = 0; n < N; n++) t[n] = a[n];
  for (int i = 0; i < times; i++) {
    for (int n = 0; n < N; n++) t[n] = square(t[n]);
  }
  for (int n = 0; n < N; n++) r[n] = t[n];
}

template <int N>
NEVER_INLINE void multiply(Field8* r, const Field8* a, const Field8* b) {
  for (int n = 0; n < N; n++) r[n] = a[n] * b[n];
}

/** x^((p-5)/8) of N elements; the chain of power250 in field.h. */
template <int N>
inline void powerForRoot(Field8* r, const Field8* x) {
  Field8 a[N], b[N], x5[N], x10[N], x50[N];
  squareTimes<N>(a, x, 1);
  multiply<N>(a, a, x);  // x2
  squareTimes<N>(b, a, 2);
  multiply<N>(a, b, a);  // x4
  squareTimes<N>(b, a, 1);
  multiply<N>(x5, b, x);
  squareTimes<N>(b, x5, 5);
  multiply<N>(x10, b, x5);
  squareTimes<N>(b, x10, 10);
  multiply<N>(a, b, x10);  // x20
  squareTimes<N>(b, a, 20);
  multiply<N>(a, b, a);  // x40
  squareTimes<N>(b, a, 10);
  multiply<N>(x50, b, x10);
  squareTimes<N>(b, x50, 50);
  multiply<N>(a, b, x50);  // x100
  squareTimes<N>(b, a, 100);
  multiply<N>(a, b, a);  // x200
  squareTimes<N>(b, a, 50);
  multiply<N>(a, b, x50);  // x250
  squareTimes<N>(b, a, 2);
  multiply<N>(r, b, x);
}

/** 1/x in every lane (0 for 0). */
inline Field8 invert(const Field8& x) {
  Field8 r;
  powerForRoot<1>(&r, &x);
  squareTimes<1>(&r, &r, 3);
  return r * (square(x) * x);
}

}  // namespace
}  // namespace monero
