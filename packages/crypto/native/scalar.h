// Scalars modulo the group order l = 2^252 + 27742317777372353535851937790883648493.
//
// A Scalar holds x·2^256 mod l (Montgomery form), below l, in four 64-bit words. Points are always
// multiplied by the integer in [0, l): with torsion in a point, l - 1 and -1 are not the same.
#pragma once

#include "bytes.h"

namespace monero {

struct Scalar {
  u64 word[4];
};

/** The bytes of an integer in [0, l). */
struct ScalarBytes {
  u8 bytes[32];
};

namespace {

constexpr u64 ORDER[4] = {0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000};
/** -1/l modulo 2^64. */
constexpr u64 ORDER_INVERSE = 0xd2b51da312547e1b;
constexpr Scalar SCALAR_ZERO = {{0, 0, 0, 0}};
/** 2^256 mod l, the Montgomery form of 1. */
constexpr Scalar SCALAR_ONE = {
    {0xd6ec31748d98951d, 0xc6ef5bf4737dcf70, 0xfffffffffffffffe, 0x0fffffffffffffff}};
/** 2^512 mod l, as plain words: multiplying by it brings a number into Montgomery form. */
constexpr Scalar TO_MONTGOMERY = {
    {0xa40611e3449c0f01, 0xd00e1ba768859347, 0xceec73d217f5be65, 0x0399411b7c309a3d}};
/** 1/8 in Montgomery form. */
constexpr Scalar INVERSE_OF_EIGHT = {
    {0xa7ed9ce5a30a2c13, 0xeb2106215d086329, 0xffffffffffffffff, 0x0fffffffffffffff}};
/** The integer 1/8 mod l as bytes; output commitments are multiplied by exactly this integer. */
constexpr u8 INVERSE_OF_EIGHT_BYTES[32] = {
    0x79, 0x2f, 0xdc, 0xe2, 0x29, 0xe5, 0x06, 0x61, 0xd0, 0xda, 0x1c, 0x7d, 0xb3, 0x9d, 0xd3, 0x07,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06};
/** l as bytes. */
// clang-format off
constexpr u8 ORDER_BYTES[32] = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10};
// clang-format on

/** a - l if a >= l, else a. */
ALWAYS_INLINE Scalar subtractOrderOnce(const Scalar& a) {
  Scalar r;
  u64 borrow = 0;
  for (int i = 0; i < 4; i++) {
    const u128 d = static_cast<u128>(a.word[i]) - ORDER[i] - borrow;
    r.word[i] = static_cast<u64>(d);
    borrow = static_cast<u64>(d >> 64) & 1;
  }
  return borrow ? a : r;
}

ALWAYS_INLINE Scalar operator+(const Scalar& a, const Scalar& b) {
  Scalar r;
  u64 c = 0;
  for (int i = 0; i < 4; i++) {
    const u128 s = static_cast<u128>(a.word[i]) + b.word[i] + c;
    r.word[i] = static_cast<u64>(s);
    c = static_cast<u64>(s >> 64);
  }
  return subtractOrderOnce(r);
}

ALWAYS_INLINE Scalar operator-(const Scalar& a, const Scalar& b) {
  Scalar r;
  u64 borrow = 0;
  for (int i = 0; i < 4; i++) {
    const u128 d = static_cast<u128>(a.word[i]) - b.word[i] - borrow;
    r.word[i] = static_cast<u64>(d);
    borrow = static_cast<u64>(d >> 64) & 1;
  }
  if (!borrow) return r;
  u64 c = 0;
  for (int i = 0; i < 4; i++) {
    const u128 s = static_cast<u128>(r.word[i]) + ORDER[i] + c;
    r.word[i] = static_cast<u64>(s);
    c = static_cast<u64>(s >> 64);
  }
  return r;
}

/**
 * a·b/2^256 mod l (Montgomery multiplication, operand scanning). Right for any a below 2^256 and
 * b below l: the sum before the last step is below (2^256·l + 2^256·l)/2^256 = 2l.
 */
inline Scalar montgomery(const Scalar& a, const Scalar& b) {
  u64 t[5] = {0, 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    u128 sum = 0;
    for (int j = 0; j < 4; j++) {
      sum += static_cast<u128>(a.word[i]) * b.word[j] + t[j];
      t[j] = static_cast<u64>(sum);
      sum >>= 64;
    }
    t[4] += static_cast<u64>(sum);
    const u64 m = t[0] * ORDER_INVERSE;
    sum = (static_cast<u128>(m) * ORDER[0] + t[0]) >> 64;
    for (int j = 1; j < 4; j++) {
      sum += static_cast<u128>(m) * ORDER[j] + t[j];
      t[j - 1] = static_cast<u64>(sum);
      sum >>= 64;
    }
    sum += t[4];
    t[3] = static_cast<u64>(sum);
    t[4] = static_cast<u64>(sum >> 64);
  }
  return subtractOrderOnce({{t[0], t[1], t[2], t[3]}});
}

NEVER_INLINE Scalar operator*(const Scalar& a, const Scalar& b) { return montgomery(a, b); }

/** A little-endian integer of 32 bytes modulo l (upstream `sc_reduce32`). */
inline Scalar scalarFromBytes(const u8* bytes) {
  return montgomery({{load64(bytes), load64(bytes + 8), load64(bytes + 16), load64(bytes + 24)}},
                    TO_MONTGOMERY);
}

inline Scalar scalarFromWord(u64 word) { return montgomery({{word, 0, 0, 0}}, TO_MONTGOMERY); }

/** The integer in [0, l) as words. */
inline Scalar plainWords(const Scalar& a) { return montgomery(a, {{1, 0, 0, 0}}); }

/** The integer in [0, l), 32 bytes little-endian. */
inline void scalarToBytes(u8* bytes, const Scalar& a) {
  const Scalar plain = plainWords(a);
  for (int i = 0; i < 4; i++) store64(bytes + 8 * i, plain.word[i]);
}

/** True if the bytes hold an integer below l (upstream `sc_check`). */
inline bool isCanonicalScalar(const u8* bytes) {
  for (int i = 3; i >= 0; i--) {
    const u64 word = load64(bytes + 8 * i);
    if (word != ORDER[i]) return word < ORDER[i];
  }
  return false;
}

inline bool isZero(const Scalar& a) { return (a.word[0] | a.word[1] | a.word[2] | a.word[3]) == 0; }

inline bool isEqual(const Scalar& a, const Scalar& b) {
  return std::memcmp(a.word, b.word, sizeof a.word) == 0;
}

inline Scalar negate(const Scalar& a) { return SCALAR_ZERO - a; }

/** a^(l-2) = 1/a; 0 for 0. */
inline Scalar invert(const Scalar& a) {
  Scalar r = a;
  // l - 2 has its highest bit at 252, and differs from l in the lowest word only.
  for (int bit = 251; bit >= 0; bit--) {
    r = r * r;
    const u64 word = bit < 64 ? ORDER[0] - 2 : ORDER[bit >> 6];
    if ((word >> (bit & 63)) & 1) r = r * a;
  }
  return r;
}

/** The most digits of a non-adjacent form; the integers are below 2^253. */
constexpr int NAF_LENGTH = 256;

/**
 * Width-w non-adjacent form of a 32-byte integer below 2^254: value = sum of digit[i]·2^i, digits
 * odd or 0 and below 2^(w-1) in size. Answers the index of the highest digit, -1 for zero.
 */
inline int nonAdjacentForm(int8_t digits[NAF_LENGTH], const u8* bytes, int width) {
  u64 words[5] = {load64(bytes), load64(bytes + 8), load64(bytes + 16), load64(bytes + 24), 0};
  std::memset(digits, 0, NAF_LENGTH);
  int top = -1;
  int carry = 0;
  for (int i = 0; i < NAF_LENGTH;) {
    u64 window = words[i >> 6] >> (i & 63);
    if ((i & 63) != 0) window |= words[(i >> 6) + 1] << (64 - (i & 63));
    const int value = static_cast<int>(window & ((u64{1} << width) - 1)) + carry;
    if ((value & 1) == 0) {
      i++;
      continue;
    }
    carry = value >= 1 << (width - 1) ? 1 : 0;
    digits[i] = static_cast<int8_t>(value - (carry << width));
    top = i;
    i += width;
  }
  return top;
}

}  // namespace
}  // namespace monero
