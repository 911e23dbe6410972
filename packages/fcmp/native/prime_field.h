// The two prime fields of the cycle, p = 2^255 - 19 and q, in four words of 64 bits.
//
// Each prime is 2^255 less a number of at most 125 bits, so 2^256 is a short number modulo it, called FOLD here, and a
// product is reduced by multiplying what lies above 2^256 with that. Between operations a value is anything below 2^256 that
// is right modulo the prime: the remainder, that plus the prime or, for the few below FOLD, plus twice the prime.
#pragma once

#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "../../crypto/native/bytes.h"

namespace monero {

/** 2^255 - 19: the coordinates of Helios, the scalars of Selene. */
struct PrimeP {
  static constexpr u64 MODULUS[4] = {0xffffffffffffffed, 0xffffffffffffffff, 0xffffffffffffffff,
                                     0x7fffffffffffffff};
  /** 2^256 modulo the prime. */
  static constexpr u64 FOLD[2] = {38, 0};
  static constexpr bool HAS_SHORT_FOLD = true;
  /** (p + 3)/8: with it as exponent a square becomes its root, or that times a root of -1. */
  static constexpr u64 ROOT_EXPONENT[4] = {0xfffffffffffffffe, 0xffffffffffffffff,
                                           0xffffffffffffffff, 0x0fffffffffffffff};
  static constexpr bool HAS_ROOT_OF_MINUS_ONE = true;
  static constexpr u64 ROOT_OF_MINUS_ONE[4] = {0xc4ee1b274a0ea0b0, 0x2f431806ad2fe478,
                                               0x2b4d00993dfbd7a7, 0x2b8324804fc1df0b};
};

/** The other prime: the coordinates of Selene, the scalars of Helios. */
struct PrimeQ {
  static constexpr u64 MODULUS[4] = {0xf9850b68df11df53, 0xf735481d1969f317, 0xffffffffffffffff,
                                     0x7fffffffffffffff};
  static constexpr u64 FOLD[2] = {0x0cf5e92e41dc415a, 0x11956fc5cd2c19d0};
  static constexpr bool HAS_SHORT_FOLD = false;
  /** (q + 1)/4: with it as exponent a square becomes its root. */
  static constexpr u64 ROOT_EXPONENT[4] = {0xfe6142da37c477d5, 0xfdcd5207465a7cc5,
                                           0xffffffffffffffff, 0x1fffffffffffffff};
  static constexpr bool HAS_ROOT_OF_MINUS_ONE = false;
  static constexpr u64 ROOT_OF_MINUS_ONE[4] = {0, 0, 0, 0};
};

/** An element of the field of a prime. */
template <typename Prime>
struct Element {
  u64 word[4];

  static constexpr Element zero() { return {{0, 0, 0, 0}}; }
  static constexpr Element one() { return {{1, 0, 0, 0}}; }
};

namespace {

/** a + b·c + carry: the low word; the high one becomes the carry. */
ALWAYS_INLINE u64 multiplyAdd(u64 a, u64 b, u64 c, u64* carry) {
  const u128 t = static_cast<u128>(b) * c + a + *carry;
  *carry = static_cast<u64>(t >> 64);
  return static_cast<u64>(t);
}

// Compilers make long detours of a carry in 128 bits, which cost more than the multiplications; the intrinsics are one instruction.

/** a + b + carry: the low word; the carry is 0 or 1 before and after. */
ALWAYS_INLINE u64 addCarry(u64 a, u64 b, u64* carry) {
#if defined(__x86_64__)
  unsigned long long sum;
  *carry = _addcarry_u64(static_cast<unsigned char>(*carry), a, b, &sum);
  return sum;
#else
  const u128 t = static_cast<u128>(a) + b + *carry;
  *carry = static_cast<u64>(t >> 64);
  return static_cast<u64>(t);
#endif
}

/** a - b - borrow: the low word; the borrow is 0 or 1 before and after. */
ALWAYS_INLINE u64 subtractBorrow(u64 a, u64 b, u64* borrow) {
#if defined(__x86_64__)
  unsigned long long difference;
  *borrow = _subborrow_u64(static_cast<unsigned char>(*borrow), a, b, &difference);
  return difference;
#else
  const u128 t = static_cast<u128>(a) - b - *borrow;
  *borrow = static_cast<u64>(t >> 64) & 1;
  return static_cast<u64>(t);
#endif
}

/** Adds a·b to t[0 … 4], of which the fifth must have room for the sum: two chains of carries, for low and high halves. */
ALWAYS_INLINE void addRow(u64* t, u64 a, const u64 b[4]) {
  u64 low[4], high[4];
  for (int j = 0; j < 4; j++) {
    const u128 product = static_cast<u128>(a) * b[j];
    low[j] = static_cast<u64>(product);
    high[j] = static_cast<u64>(product >> 64);
  }
  u64 carry = 0;
  for (int j = 0; j < 4; j++) t[j] = addCarry(t[j], low[j], &carry);
  t[4] += carry;
  carry = 0;
  for (int j = 0; j < 4; j++) t[j + 1] = addCarry(t[j + 1], high[j], &carry);
}

/** Adds FOLD where `overflow` is 1, for what was lost above 2^256; returns the carry. */
template <typename Prime>
ALWAYS_INLINE u64 addFold(u64 r[4], u64 overflow) {
  const u64 mask = u64{0} - overflow;
  u64 carry = 0;
  r[0] = addCarry(r[0], Prime::FOLD[0] & mask, &carry);
  r[1] = addCarry(r[1], Prime::FOLD[1] & mask, &carry);
  r[2] = addCarry(r[2], 0, &carry);
  r[3] = addCarry(r[3], 0, &carry);
  return carry;
}

/** Subtracts FOLD where `borrowed` is 1; returns the borrow. */
template <typename Prime>
ALWAYS_INLINE u64 subtractFold(u64 r[4], u64 borrowed) {
  const u64 mask = u64{0} - borrowed;
  u64 borrow = 0;
  r[0] = subtractBorrow(r[0], Prime::FOLD[0] & mask, &borrow);
  r[1] = subtractBorrow(r[1], Prime::FOLD[1] & mask, &borrow);
  r[2] = subtractBorrow(r[2], 0, &borrow);
  r[3] = subtractBorrow(r[3], 0, &borrow);
  return borrow;
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> operator+(const Element<Prime>& a, const Element<Prime>& b) {
  Element<Prime> r;
  u64 carry = 0;
  for (int i = 0; i < 4; i++) r.word[i] = addCarry(a.word[i], b.word[i], &carry);
  // The second carry leaves less than FOLD, so there is no third.
  addFold<Prime>(r.word, addFold<Prime>(r.word, carry));
  return r;
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> operator-(const Element<Prime>& a, const Element<Prime>& b) {
  Element<Prime> r;
  u64 borrow = 0;
  for (int i = 0; i < 4; i++) r.word[i] = subtractBorrow(a.word[i], b.word[i], &borrow);
  subtractFold<Prime>(r.word, subtractFold<Prime>(r.word, borrow));
  return r;
}

/** The remainder of eight words, or that plus the prime or twice the prime. */
template <typename Prime>
ALWAYS_INLINE Element<Prime> reduce(const u64 t[8]) {
  Element<Prime> r;
  if (Prime::HAS_SHORT_FOLD) {
    u64 s[5] = {t[0], t[1], t[2], t[3], 0};
    addRow(s, Prime::FOLD[0], t + 4);
    // The fifth word is at most FOLD.
    u64 overflow = 0;
    r.word[0] = addCarry(s[0], s[4] * Prime::FOLD[0], &overflow);
    for (int i = 1; i < 4; i++) r.word[i] = addCarry(s[i], 0, &overflow);
    addFold<Prime>(r.word, overflow);
    return r;
  }
  // Six words: below 2^256 + 2^256·FOLD, of which the two upper ones are at most FOLD.
  u64 s[6] = {t[0], t[1], t[2], t[3], 0, 0};
  addRow(s, Prime::FOLD[0], t + 4);
  addRow(s + 1, Prime::FOLD[1], t + 4);
  // Again: FOLD² has less than 250 bits.
  u64 u[4];
  u64 carry = 0;
  u[0] = multiplyAdd(0, s[4], Prime::FOLD[0], &carry);
  u[1] = multiplyAdd(0, s[5], Prime::FOLD[0], &carry);
  u[2] = carry;
  carry = 0;
  u[1] = multiplyAdd(u[1], s[4], Prime::FOLD[1], &carry);
  u[2] = multiplyAdd(u[2], s[5], Prime::FOLD[1], &carry);
  u[3] = carry;
  carry = 0;
  for (int i = 0; i < 4; i++) r.word[i] = addCarry(s[i], u[i], &carry);
  // After a carry less than 2^250 is left, so there is no second.
  addFold<Prime>(r.word, carry);
  return r;
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> operator*(const Element<Prime>& a, const Element<Prime>& b) {
  u64 t[8] = {};
  for (int i = 0; i < 4; i++) addRow(t + i, a.word[i], b.word);
  return reduce<Prime>(t);
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> square(const Element<Prime>& a) {
  const u64* w = a.word;
  // Products of different words, which count twice.
  u64 t[8];
  u64 carry = 0;
  t[1] = multiplyAdd(0, w[0], w[1], &carry);
  t[2] = multiplyAdd(0, w[0], w[2], &carry);
  t[3] = multiplyAdd(0, w[0], w[3], &carry);
  t[4] = carry;
  carry = 0;
  t[3] = multiplyAdd(t[3], w[1], w[2], &carry);
  t[4] = multiplyAdd(t[4], w[1], w[3], &carry);
  t[5] = carry;
  carry = 0;
  t[5] = multiplyAdd(t[5], w[2], w[3], &carry);
  t[6] = carry;
  t[7] = t[6] >> 63;
  for (int i = 6; i > 1; i--) t[i] = t[i] << 1 | t[i - 1] >> 63;
  t[1] <<= 1;
  t[0] = 0;
  carry = 0;
  for (int i = 0; i < 4; i++) {
    const u128 own = static_cast<u128>(w[i]) * w[i];
    t[2 * i] = addCarry(t[2 * i], static_cast<u64>(own), &carry);
    t[2 * i + 1] = addCarry(t[2 * i + 1], static_cast<u64>(own >> 64), &carry);
  }
  return reduce<Prime>(t);
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> negate(const Element<Prime>& a) {
  return Element<Prime>::zero() - a;
}

template <typename Prime>
ALWAYS_INLINE Element<Prime> doubled(const Element<Prime>& a) {
  return a + a;
}

/** Whether four words are below the prime. */
template <typename Prime>
ALWAYS_INLINE bool isReduced(const u64 word[4]) {
  u64 borrow = 0;
  for (int i = 0; i < 4; i++) subtractBorrow(word[i], Prime::MODULUS[i], &borrow);
  return borrow == 1;
}

/** The remainder itself. */
template <typename Prime>
inline Element<Prime> canonical(Element<Prime> a) {
  for (int times = 0; times < 2 && !isReduced<Prime>(a.word); times++) {
    u64 borrow = 0;
    for (int i = 0; i < 4; i++) a.word[i] = subtractBorrow(a.word[i], Prime::MODULUS[i], &borrow);
  }
  return a;
}

template <typename Prime>
ALWAYS_INLINE bool isZero(const Element<Prime>& a) {
  // Zero, the prime, and twice the prime; most values differ in the lowest word.
  const u64 low = a.word[0];
  if (low != 0 && low != Prime::MODULUS[0] && low != 2 * Prime::MODULUS[0]) return false;
  const Element<Prime> r = canonical(a);
  return (r.word[0] | r.word[1] | r.word[2] | r.word[3]) == 0;
}

template <typename Prime>
inline bool isEqual(const Element<Prime>& a, const Element<Prime>& b) {
  return isZero(a - b);
}

/** The parity of the remainder. */
template <typename Prime>
inline bool isOdd(const Element<Prime>& a) {
  return (canonical(a).word[0] & 1) != 0;
}

/** 32 bytes, little-endian, whatever their size. */
template <typename Prime>
ALWAYS_INLINE Element<Prime> elementFromBytes(const u8* bytes) {
  return {{load64(bytes), load64(bytes + 8), load64(bytes + 16), load64(bytes + 24)}};
}

template <typename Prime>
inline void elementToBytes(u8* bytes, const Element<Prime>& a) {
  const Element<Prime> r = canonical(a);
  for (int i = 0; i < 4; i++) store64(bytes + 8 * i, r.word[i]);
}

template <typename Prime>
NEVER_INLINE Element<Prime> power(const Element<Prime>& a, const u64 exponent[4]) {
  constexpr int WIDTH = 4;
  Element<Prime> powers[1 << WIDTH];
  powers[0] = Element<Prime>::one();
  for (int i = 1; i < 1 << WIDTH; i++) powers[i] = powers[i - 1] * a;
  Element<Prime> r = Element<Prime>::one();
  for (int bit = 256 - WIDTH; bit >= 0; bit -= WIDTH) {
    if (bit < 256 - WIDTH) {
      for (int i = 0; i < WIDTH; i++) r = square(r);
    }
    r = r * powers[exponent[bit >> 6] >> (bit & 63) & ((1 << WIDTH) - 1)];
  }
  return r;
}

/** 1/a; zero for zero. */
template <typename Prime>
inline Element<Prime> invert(const Element<Prime>& a) {
  const u64 exponent[4] = {Prime::MODULUS[0] - 2, Prime::MODULUS[1], Prime::MODULUS[2],
                           Prime::MODULUS[3]};
  return power(a, exponent);
}

/** Replaces values, none of which is zero, by their inverses. */
template <typename Prime>
inline void invertAll(std::vector<Element<Prime>>* values) {
  std::vector<Element<Prime>> products(values->size());
  Element<Prime> product = Element<Prime>::one();
  for (size_t i = 0; i < values->size(); i++) {
    products[i] = product;
    product = product * (*values)[i];
  }
  Element<Prime> inverse = invert(product);
  for (size_t i = values->size(); i-- > 0;) {
    const Element<Prime> own = inverse * products[i];
    inverse = inverse * (*values)[i];
    (*values)[i] = own;
  }
}

/** A square root, either of the two; false if there is none. */
template <typename Prime>
inline bool squareRoot(Element<Prime>* root, const Element<Prime>& a) {
  *root = power(a, Prime::ROOT_EXPONENT);
  const Element<Prime> check = square(*root);
  if (isEqual(check, a)) return true;
  if (!Prime::HAS_ROOT_OF_MINUS_ONE || !isZero(check + a)) return false;
  const Element<Prime> correction = {{Prime::ROOT_OF_MINUS_ONE[0], Prime::ROOT_OF_MINUS_ONE[1],
                                      Prime::ROOT_OF_MINUS_ONE[2], Prime::ROOT_OF_MINUS_ONE[3]}};
  *root = *root * correction;
  return true;
}

}  // namespace
}  // namespace monero
