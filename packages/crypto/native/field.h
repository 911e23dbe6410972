// The field modulo p = 2^255 - 19 in five limbs of 51 bits: value = sum of limb[i]·2^(51i).
//
// Limbs may exceed 51 bits between operations. The bounds that make this safe:
//   multiplication takes limbs below 2^54 and returns limbs below 2^51 + 2^13 ("reduced");
//   a + b       of reduced operands has limbs below 2^52 + 2^14;
//   sub(a, b)   adds 2p first, so b must be reduced; the result stays below 2^53 for a < 2^52;
//   sub4(a, b)  adds 4p first, so the limbs of b must be below 2^53 - 2^7; result < a + 2^53.
#pragma once

#include "bytes.h"

namespace monero {

struct Field {
  u64 limb[5];
};

namespace {

constexpr u64 MASK51 = (u64{1} << 51) - 1;

constexpr Field FIELD_ZERO = {{0, 0, 0, 0, 0}};
constexpr Field FIELD_ONE = {{1, 0, 0, 0, 0}};

ALWAYS_INLINE Field operator+(const Field& a, const Field& b) {
  return {{a.limb[0] + b.limb[0], a.limb[1] + b.limb[1], a.limb[2] + b.limb[2],
           a.limb[3] + b.limb[3], a.limb[4] + b.limb[4]}};
}

// The limbs of 2p: 2·(2^51 - 19) and four times 2·(2^51 - 1).
constexpr u64 TWO_P_LOW = 2 * (MASK51 - 18);
constexpr u64 TWO_P_HIGH = 2 * MASK51;

/** a - b + 2p; b must be reduced. */
ALWAYS_INLINE Field sub(const Field& a, const Field& b) {
  return {{a.limb[0] + TWO_P_LOW - b.limb[0], a.limb[1] + TWO_P_HIGH - b.limb[1],
           a.limb[2] + TWO_P_HIGH - b.limb[2], a.limb[3] + TWO_P_HIGH - b.limb[3],
           a.limb[4] + TWO_P_HIGH - b.limb[4]}};
}

/** a - b + 4p; b may be a sum or a difference of reduced elements. */
ALWAYS_INLINE Field sub4(const Field& a, const Field& b) {
  return {{a.limb[0] + 2 * TWO_P_LOW - b.limb[0], a.limb[1] + 2 * TWO_P_HIGH - b.limb[1],
           a.limb[2] + 2 * TWO_P_HIGH - b.limb[2], a.limb[3] + 2 * TWO_P_HIGH - b.limb[3],
           a.limb[4] + 2 * TWO_P_HIGH - b.limb[4]}};
}

/** Carries once around: limbs below 2^63 become reduced or nearly so (below 2^51 + 2^17). */
ALWAYS_INLINE Field carry(Field a) {
  for (int i = 0; i < 4; i++) {
    a.limb[i + 1] += a.limb[i] >> 51;
    a.limb[i] &= MASK51;
  }
  a.limb[0] += 19 * (a.limb[4] >> 51);
  a.limb[4] &= MASK51;
  return a;
}

ALWAYS_INLINE Field negate(const Field& a) { return carry(sub4(FIELD_ZERO, a)); }

/** Column sums of a product to a reduced element; 2^255 = 19 folds the last carry. */
ALWAYS_INLINE Field carryProduct(u128 t0, u128 t1, u128 t2, u128 t3, u128 t4) {
  t1 += static_cast<u64>(t0 >> 51);
  t2 += static_cast<u64>(t1 >> 51);
  t3 += static_cast<u64>(t2 >> 51);
  t4 += static_cast<u64>(t3 >> 51);
  u64 r0 = (static_cast<u64>(t0) & MASK51) + 19 * static_cast<u64>(t4 >> 51);
  u64 r1 = (static_cast<u64>(t1) & MASK51) + (r0 >> 51);
  return {{r0 & MASK51, r1, static_cast<u64>(t2) & MASK51, static_cast<u64>(t3) & MASK51,
           static_cast<u64>(t4) & MASK51}};
}

ALWAYS_INLINE u128 wide(u64 a, u64 b) { return static_cast<u128>(a) * b; }

ALWAYS_INLINE Field operator*(const Field& a, const Field& b) {
  const u64 a0 = a.limb[0], a1 = a.limb[1], a2 = a.limb[2], a3 = a.limb[3], a4 = a.limb[4];
  const u64 b0 = b.limb[0], b1 = b.limb[1], b2 = b.limb[2], b3 = b.limb[3], b4 = b.limb[4];
  const u64 c1 = 19 * b1, c2 = 19 * b2, c3 = 19 * b3, c4 = 19 * b4;
  return carryProduct(wide(a0, b0) + wide(a1, c4) + wide(a2, c3) + wide(a3, c2) + wide(a4, c1),
                      wide(a0, b1) + wide(a1, b0) + wide(a2, c4) + wide(a3, c3) + wide(a4, c2),
                      wide(a0, b2) + wide(a1, b1) + wide(a2, b0) + wide(a3, c4) + wide(a4, c3),
                      wide(a0, b3) + wide(a1, b2) + wide(a2, b1) + wide(a3, b0) + wide(a4, c4),
                      wide(a0, b4) + wide(a1, b3) + wide(a2, b2) + wide(a3, b1) + wide(a4, b0));
}

ALWAYS_INLINE Field square(const Field& a) {
  const u64 a0 = a.limb[0], a1 = a.limb[1], a2 = a.limb[2], a3 = a.limb[3], a4 = a.limb[4];
  const u64 d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2, c3 = 19 * a3, c4 = 19 * a4;
  // clang-format off
  return carryProduct(wide(a0, a0) + wide(d1, c4) + wide(d2, c3),
                      wide(d0, a1) + wide(d2, c4) + wide(a3, c3),
                      wide(d0, a2) + wide(a1, a1) + wide(2 * a3, c4),
                      wide(d0, a3) + wide(d1, a2) + wide(a4, c4),
                      wide(d0, a4) + wide(d1, a3) + wide(a2, a2));
  // clang-format on
}

NEVER_INLINE Field multiply(const Field& a, const Field& b) { return a * b; }

/** a^(2^times), times >= 1. */
NEVER_INLINE Field squareTimes(const Field& a, int times) {
  Field r = square(a);
  for (int i = 1; i < times; i++) r = square(r);
  return r;
}

/** x^(2^250 - 1) by the usual addition chain; xN means x^(2^N - 1). */
inline Field power250(const Field& x) {
  const Field x2 = multiply(squareTimes(x, 1), x);
  const Field x4 = multiply(squareTimes(x2, 2), x2);
  const Field x5 = multiply(squareTimes(x4, 1), x);
  const Field x10 = multiply(squareTimes(x5, 5), x5);
  const Field x20 = multiply(squareTimes(x10, 10), x10);
  const Field x40 = multiply(squareTimes(x20, 20), x20);
  const Field x50 = multiply(squareTimes(x40, 10), x10);
  const Field x100 = multiply(squareTimes(x50, 50), x50);
  const Field x200 = multiply(squareTimes(x100, 100), x100);
  return multiply(squareTimes(x200, 50), x50);
}

/** x^((p-5)/8) = x^(2^252 - 3). */
inline Field powerForRoot(const Field& x) { return multiply(squareTimes(power250(x), 2), x); }

/** x^(p-2), the inverse of x (0 for 0): p - 2 = 8·(p-5)/8 + 3. */
inline Field invert(const Field& x) {
  return multiply(squareTimes(powerForRoot(x), 3), multiply(square(x), x));
}

/** The low 255 bits of 32 bytes, not necessarily below p. */
inline Field fieldFromBytes(const u8* bytes) {
  const u64 w0 = load64(bytes), w1 = load64(bytes + 8), w2 = load64(bytes + 16),
            w3 = load64(bytes + 24);
  return {{w0 & MASK51, (w0 >> 51 | w1 << 13) & MASK51, (w1 >> 38 | w2 << 26) & MASK51,
           (w2 >> 25 | w3 << 39) & MASK51, (w3 >> 12) & MASK51}};
}

/** The unique representative below p. */
inline Field canonical(const Field& a) {
  Field t = carry(carry(a));
  // Now the value is below 2p. It is p or more exactly if adding 19 carries out of bit 254.
  u64 c = (t.limb[0] + 19) >> 51;
  for (int i = 1; i < 5; i++) c = (t.limb[i] + c) >> 51;
  t.limb[0] += 19 * c;
  for (int i = 0; i < 4; i++) {
    t.limb[i + 1] += t.limb[i] >> 51;
    t.limb[i] &= MASK51;
  }
  t.limb[4] &= MASK51;
  return t;
}

inline void fieldToBytes(u8* bytes, const Field& a) {
  const Field t = canonical(a);
  store64(bytes, t.limb[0] | t.limb[1] << 51);
  store64(bytes + 8, t.limb[1] >> 13 | t.limb[2] << 38);
  store64(bytes + 16, t.limb[2] >> 26 | t.limb[3] << 25);
  store64(bytes + 24, t.limb[3] >> 39 | t.limb[4] << 12);
}

inline bool isZero(const Field& a) {
  const Field t = canonical(a);
  return (t.limb[0] | t.limb[1] | t.limb[2] | t.limb[3] | t.limb[4]) == 0;
}

/** a = b; both reduced or sums of two reduced elements. */
inline bool isEqual(const Field& a, const Field& b) { return isZero(sub4(a, b)); }

/** The parity of the representative below p. */
inline bool isOdd(const Field& a) { return (canonical(a).limb[0] & 1) != 0; }

}  // namespace
}  // namespace monero
