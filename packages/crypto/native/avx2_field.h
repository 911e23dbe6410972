// Four elements of the field modulo p = 2^255 - 19 at a time, one in each 64-bit lane of AVX2
// registers, in ten limbs of 26 and 25 bits in turn:
//
//   value = sum of limb[2i]·2^(51i) + limb[2i+1]·2^(51i+26)
//
// so that two limbs are one of the five words of 51 bits in field.h. The one multiplication of AVX2
// takes the low 32 bits of two lanes, and that bounds every limb that is multiplied:
//
//   "reduced"     even limbs below 2^26 + 2^8, odd limbs below 2^25 + 2^16;
//   an operand    of a product has even limbs below 3·2^26 + 2^9 and odd ones below 3·2^25 + 2^17,
//                 so 19 times an even limb is below 2^32, and so is 38 times an odd one.
//
// All functions take and return reduced elements unless they say otherwise.
#pragma once

#include <immintrin.h>

#include "field.h"

namespace monero {
namespace MONERO_PATH {

/** One 64-bit word in each lane. */
using Lanes = __m256i;
constexpr int LANES = 4;
/** One bit per lane; those above are irrelevant. */
using LaneMask = u8;
constexpr LaneMask ALL_LANES = 0x0f;

struct Fields {
  Lanes limb[10];
};

/** Elements in words of 51 bits as in field.h. */
struct Words {
  Lanes word[5];
};

/** Columns of a product that have not been carried; see the bounds at `columns`. */
struct Columns {
  Lanes column[10];
};

namespace {

ALWAYS_INLINE Lanes all(u64 word) { return _mm256_set1_epi64x(static_cast<long long>(word)); }
ALWAYS_INLINE Lanes zeros() { return _mm256_setzero_si256(); }
ALWAYS_INLINE Lanes plus(Lanes a, Lanes b) { return _mm256_add_epi64(a, b); }
ALWAYS_INLINE Lanes minus(Lanes a, Lanes b) { return _mm256_sub_epi64(a, b); }
ALWAYS_INLINE Lanes both(Lanes a, Lanes b) { return _mm256_and_si256(a, b); }
ALWAYS_INLINE Lanes either(Lanes a, Lanes b) { return _mm256_or_si256(a, b); }
ALWAYS_INLINE Lanes differing(Lanes a, Lanes b) { return _mm256_xor_si256(a, b); }
ALWAYS_INLINE Lanes differing(Lanes a, Lanes b, Lanes c) { return differing(differing(a, b), c); }
/** a ^ (~b & c) */
ALWAYS_INLINE Lanes chi(Lanes a, Lanes b, Lanes c) {
  return differing(a, _mm256_andnot_si256(b, c));
}
template <int N>
ALWAYS_INLINE Lanes rotate(Lanes a) {
  if constexpr (N == 0) return a;
  return either(_mm256_slli_epi64(a, N), _mm256_srli_epi64(a, 64 - N));
}
template <int N>
ALWAYS_INLINE Lanes shiftRight(Lanes a) {
  return _mm256_srli_epi64(a, N);
}
ALWAYS_INLINE Lanes shiftRight(Lanes a, int bits) {
  return _mm256_srl_epi64(a, _mm_cvtsi32_si128(bits));
}
/** The product of the low 32 bits of the lanes. */
ALWAYS_INLINE Lanes times(Lanes a, Lanes b) { return _mm256_mul_epu32(a, b); }
/** sum + 19·a, for a below 2^32. */
ALWAYS_INLINE Lanes addTimes19(Lanes sum, Lanes a) { return plus(sum, times(a, all(19))); }

ALWAYS_INLINE Lanes loadLanes(const u64* words) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
}
ALWAYS_INLINE void storeLanes(u64* words, Lanes a) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(words), a);
}
/** The words that a function returns for the lanes. */
template <typename Function>
ALWAYS_INLINE Lanes eachLane(const Function& word) {
  const auto signedWord = [&](int lane) { return static_cast<long long>(word(lane)); };
  return _mm256_set_epi64x(signedWord(3), signedWord(2), signedWord(1), signedWord(0));
}
/** Lane i of the result is lane (i + distance) mod 4. */
ALWAYS_INLINE Lanes rotateLanes(Lanes a, int distance) {
  const __m256i halves = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  const __m256i index = _mm256_add_epi32(halves, _mm256_set1_epi32(2 * distance));
  return _mm256_permutevar8x32_epi32(a, index);  // of the index it reads the low three bits
}
ALWAYS_INLINE LaneMask zeroLanes(Lanes a) {
  const Lanes equal = _mm256_cmpeq_epi64(a, zeros());
  return static_cast<LaneMask>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
}
ALWAYS_INLINE LaneMask oddLanes(Lanes a) {
  const Lanes top = _mm256_slli_epi64(a, 63);
  return static_cast<LaneMask>(_mm256_movemask_pd(_mm256_castsi256_pd(top)));
}
/** All bits of the lanes in the mask. */
ALWAYS_INLINE Lanes bitsOf(LaneMask mask) {
  const Lanes bit = _mm256_set_epi64x(8, 4, 2, 1);
  return _mm256_cmpeq_epi64(both(all(mask), bit), bit);
}

constexpr u64 EVEN_MASK = (u64{1} << 26) - 1;
constexpr u64 ODD_MASK = (u64{1} << 25) - 1;

ALWAYS_INLINE Words toWords(const Fields& a) {
  Words r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    r.word[i] = plus(a.limb[2 * i], _mm256_slli_epi64(a.limb[2 * i + 1], 26));
  }
  return r;
}

/**
 * Of words below 2^52, which become an operand of a product. Words of a reduced element, below 2^51 + 2^42 + 2^8, become a
 * reduced element.
 */
ALWAYS_INLINE Fields toFields(const Words& a) {
  Fields r;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    r.limb[2 * i] = both(a.word[i], all(EVEN_MASK));
    r.limb[2 * i + 1] = shiftRight<26>(a.word[i]);
  }
  return r;
}

ALWAYS_INLINE Fields all(const Field& a) {
  return toFields(
      {{all(a.limb[0]), all(a.limb[1]), all(a.limb[2]), all(a.limb[3]), all(a.limb[4])}});
}

/** Limbs 25 or 26 bits wide and what is above them, which belongs to the next limb. */
template <int K>
ALWAYS_INLINE Lanes lowPart(Lanes a) {
  return both(a, all(K % 2 == 0 ? EVEN_MASK : ODD_MASK));
}
template <int K>
ALWAYS_INLINE Lanes highPart(Lanes a) {
  return shiftRight < K % 2 == 0 ? 26 : 25 > (a);
}

/** Moves what is above limb K to limb K + 1 < 10. */
template <int K>
ALWAYS_INLINE void carryLimb(Lanes* t) {
  t[K + 1] = plus(t[K + 1], highPart<K>(t[K]));
  t[K] = lowPart<K>(t[K]);
}

/**
 * Columns to a reduced element, even ones below 2^63 and odd ones below 2^62: once around in two
 * chains that run side by side, from 0 to 4 and from 4 to 9, then from 9 through 0 to 1. Carries are
 * below 2^38, and so t4 comes to less than 2^38 and t5 ends below 2^25 + 2^12. The last carry is below
 * 2^37 + 2^13, so t0 comes to less than 2^26 + 19·2^37 + 2^18 < 2^42, and t1 ends below 2^25 + 2^16.
 */
ALWAYS_INLINE Fields carry(const Columns& columns) {
  Fields r;
  Lanes* t = r.limb;
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) t[i] = columns.column[i];
  carryLimb<0>(t);
  carryLimb<4>(t);
  carryLimb<1>(t);
  carryLimb<5>(t);
  carryLimb<2>(t);
  carryLimb<6>(t);
  carryLimb<3>(t);
  carryLimb<7>(t);
  carryLimb<4>(t);
  carryLimb<8>(t);
  const Lanes top = highPart<9>(t[9]);
  t[9] = lowPart<9>(t[9]);
  // 19 = 16 + 2 + 1: the carry is wider than the multiplication takes.
  t[0] = plus(plus(t[0], top), plus(plus(top, top), _mm256_slli_epi64(top, 4)));
  carryLimb<0>(t);
  return r;
}

/** Carries once in parallel: even limbs below 2^32 and odd ones below 2^28 become reduced. */
ALWAYS_INLINE Fields carry(const Fields& a) {
  Fields r;
  r.limb[0] = addTimes19(lowPart<0>(a.limb[0]), highPart<9>(a.limb[9]));
#pragma GCC unroll 9
  for (int i = 1; i < 10; i++) {
    r.limb[i] = i % 2 == 0 ? plus(lowPart<0>(a.limb[i]), highPart<1>(a.limb[i - 1]))
                           : plus(lowPart<1>(a.limb[i]), highPart<0>(a.limb[i - 1]));
  }
  return r;
}

/** a + b, not carried. */
ALWAYS_INLINE Fields addLazily(const Fields& a, const Fields& b) {
  Fields r;
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) r.limb[i] = plus(a.limb[i], b.limb[i]);
  return r;
}

/** a - b + 2p, not carried; a may be a lazy sum. */
ALWAYS_INLINE Fields subtractLazily(const Fields& a, const Fields& b) {
  const Lanes even = all(2 * EVEN_MASK), odd = all(2 * ODD_MASK);
  Fields r;
  r.limb[0] = minus(plus(a.limb[0], all(2 * (EVEN_MASK - 18))), b.limb[0]);
#pragma GCC unroll 9
  for (int i = 1; i < 10; i++) {
    r.limb[i] = minus(plus(a.limb[i], i % 2 == 0 ? even : odd), b.limb[i]);
  }
  return r;
}

ALWAYS_INLINE Fields operator+(const Fields& a, const Fields& b) { return carry(addLazily(a, b)); }
ALWAYS_INLINE Fields operator-(const Fields& a, const Fields& b) {
  return carry(subtractLazily(a, b));
}

/** A sum or a difference of reduced elements as an operand of a product. */
ALWAYS_INLINE Fields sumToMultiply(const Fields& a, const Fields& b) { return addLazily(a, b); }
ALWAYS_INLINE Fields differenceToMultiply(const Fields& a, const Fields& b) {
  return subtractLazily(a, b);
}

// Products. Column k of a product is the sum of f·a_i·b_j over i + j = k, and of 19·f·a_i·b_j over
// i + j = k + 10, since 2^255 = 19. The factor f is 2 where i and j are both odd, else 1: the limbs
// of a_i·b_j have 26 + 25 bits where one is odd, and 25 + 25 where both are.
//
// Bounds, for reduced a and b, in units of 2^52: an even column has at most 1 + 19·(4 + 5/2) = 124.5
// (column 0), an odd one at most (2 + 19·8)/2 = 77 (column 1). So columns are below 2^59; they are
// below 2^61 where a and b are lazy sums, or one of them a lazy difference.

/** Adds at once: gcc would add the terms in another order, and keep them on the stack till then. */
ALWAYS_INLINE void addTo(Lanes& sum, Lanes term) {
  sum = plus(sum, term);
  __asm__("" : "+x"(sum));
}

/** Columns of a·b; the operands may be lazy. The terms are added row by row onto ten registers. */
ALWAYS_INLINE Columns productColumns(const Fields& a, const Fields& b) {
  Lanes b19[10];
#pragma GCC unroll 9
  for (int j = 1; j < 10; j++) b19[j] = times(b.limb[j], all(19));
  Lanes t[10];
#pragma GCC unroll 10
  for (int j = 0; j < 10; j++) t[j] = times(a.limb[0], b.limb[j]);
#pragma GCC unroll 9
  for (int i = 1; i < 10; i++) {
    const Lanes plain = a.limb[i], doubled = i % 2 == 1 ? plus(plain, plain) : plain;
#pragma GCC unroll 10
    for (int j = 0; j < 10; j++) {
      const int k = (i + j) % 10;
      const Lanes term = times(j % 2 == 1 ? doubled : plain, i + j < 10 ? b.limb[j] : b19[j]);
      addTo(t[k], term);
    }
  }
  Columns r;
#pragma GCC unroll 10
  for (int k = 0; k < 10; k++) r.column[k] = t[k];
  return r;
}

/** Columns of a²: the terms with i < j count twice. The operand may be lazy. */
ALWAYS_INLINE Columns ownColumns(const Fields& a) {
  // twice[i] = 2·a_i; wrapped[j] = 19·a_j, or 38·a_j for odd j.
  Lanes twice[10], wrapped[10];
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) twice[i] = plus(a.limb[i], a.limb[i]);
#pragma GCC unroll 5
  for (int j = 5; j < 10; j++) wrapped[j] = times(a.limb[j], all(j % 2 == 1 ? 38 : 19));
  Lanes t[10];
#pragma GCC unroll 10
  for (int k = 0; k < 10; k++) t[k] = zeros();
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) {
    const Lanes plain = a.limb[i], doubled = twice[i];
#pragma GCC unroll 10
    for (int j = i; j < 10; j++) {
      // An odd j comes doubled, for i < j or for f; a_i is doubled if one more 2 is left.
      const bool twiceLeft = i < j && (j % 2 == 0 || i % 2 == 1);
      const Lanes right = i + j >= 10 ? wrapped[j] : j % 2 == 1 ? twice[j] : a.limb[j];
      const int k = (i + j) % 10;
      addTo(t[k], times(twiceLeft ? doubled : plain, right));
    }
  }
  Columns r;
#pragma GCC unroll 10
  for (int k = 0; k < 10; k++) r.column[k] = t[k];
  return r;
}

// Each of these is a call: one multiplication has over two hundred instructions, and copies of it
// would not fit into the instruction cache.
NEVER_INLINE Columns columns(const Fields& a, const Fields& b) { return productColumns(a, b); }
NEVER_INLINE Columns squareColumns(const Fields& a) { return ownColumns(a); }
NEVER_INLINE Fields operator*(const Fields& a, const Fields& b) {
  return carry(productColumns(a, b));
}
NEVER_INLINE Fields square(const Fields& a) { return carry(ownColumns(a)); }

/** a + b, still columns; as an operand of another sum or difference it counts twice. */
ALWAYS_INLINE Columns addColumns(const Columns& a, const Columns& b) {
  Columns r;
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) r.column[i] = plus(a.column[i], b.column[i]);
  return r;
}

/** a + b, carried. */
NEVER_INLINE Fields total(const Columns& a, const Columns& b) { return carry(addColumns(a, b)); }

/** 2a as columns. */
ALWAYS_INLINE Columns twice(const Fields& a) {
  Columns r;
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) r.column[i] = plus(a.limb[i], a.limb[i]);
  return r;
}

/**
 * a - b for columns below 2^62 and 2^61: 2^36·p is added, its even limbs near 2^62 and its odd ones
 * near 2^61.
 */
NEVER_INLINE Fields difference(const Columns& a, const Columns& b) {
  const Lanes even = all(EVEN_MASK << 36), odd = all(ODD_MASK << 36);
  Columns r;
  r.column[0] = minus(plus(a.column[0], all((EVEN_MASK - 18) << 36)), b.column[0]);
#pragma GCC unroll 9
  for (int i = 1; i < 10; i++) {
    r.column[i] = minus(plus(a.column[i], i % 2 == 0 ? even : odd), b.column[i]);
  }
  return carry(r);
}

/** 2xy, given the columns of x² and y²: (x + y)² - x² - y², as a square costs less than a product. */
ALWAYS_INLINE Fields doubleProduct(const Fields& x, const Fields& y, const Columns& xx,
                                   const Columns& yy) {
  return difference(squareColumns(addLazily(x, y)), addColumns(xx, yy));
}

/** Lane for lane b where the mask is set, else a. */
ALWAYS_INLINE Fields select(LaneMask mask, const Fields& a, const Fields& b) {
  const Lanes bits = bitsOf(mask);
  Fields r;
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) r.limb[i] = _mm256_blendv_epi8(a.limb[i], b.limb[i], bits);
  return r;
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
