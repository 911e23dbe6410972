// The group of Ed25519, -x² + y² = 1 + d·x²·y², as Monero encodes it (consensus rules of decoding
// included). Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited"; complete
// for every point of the curve, those of small order too.
#pragma once

#include "field.h"
#include "keccak.h"
#include "scalar.h"

namespace monero {

/** x = X/Z, y = Y/Z, x·y = T/Z; all limbs reduced. */
struct Point {
  Field X, Y, Z, T;
};

/** A point ready to be added: Y + X, Y - X, 2Z, 2d·T. */
struct Cached {
  Field plus, minus, Z2, T2d;
};

/** An affine point (Z = 1) ready to be added: y + x, y - x, 2d·x·y; all limbs reduced. */
struct Affine {
  Field plus, minus, xy2d;
};

namespace {

/** d = -121665/121666. */
constexpr Field CURVE_D = {
    {0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff}};
constexpr Field CURVE_2D = {
    {0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff}};
/** The square root 2^((p-1)/4) of -1. */
constexpr Field SQRT_MINUS_ONE = {
    {0x61b274a0ea0b0, 0x0d5a5fc8f189d, 0x7ef5e9cbd0c60, 0x78595a6804c9e, 0x2b8324804fc1d}};

constexpr Point IDENTITY = {FIELD_ZERO, FIELD_ONE, FIELD_ONE, FIELD_ZERO};

/** The base point G: y = 4/5, x even. */
constexpr u8 G_BYTES[32] = {0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                            0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                            0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66};
/** The base of amounts, H = 8·decode(Keccak-256(G)). */
constexpr u8 H_BYTES[32] = {0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc,
                            0x9f, 0xf1, 0xad, 0xd0, 0xea, 0x6c, 0x72, 0x51, 0xd5, 0x41, 0x54,
                            0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94};

/** Whether a result's T is wanted: only an addition reads it. */
enum class WithT { no, yes };

// The last step shared by all formulas: X = E·F, Y = G·H, Z = F·G, T = E·H.
template <WithT T>
ALWAYS_INLINE void complete(Point* r, const Field& E, const Field& F, const Field& G,
                            const Field& H) {
  r->X = E * F;
  r->Y = G * H;
  r->Z = F * G;
  if (T == WithT::yes) r->T = E * H;
}

template <WithT T>
NEVER_INLINE void doubled(Point* r, const Point* p) {
  const Field A = square(p->X), B = square(p->Y), C = square(p->Z);
  const Field H = A + B;
  const Field G = sub(B, A);
  const Field E = sub4(square(p->X + p->Y), H);
  const Field F = sub4(C + C, G);
  complete<T>(r, E, F, G, H);
}

template <WithT T>
NEVER_INLINE void add(Point* r, const Point* p, const Cached* q) {
  const Field A = sub(p->Y, p->X) * q->minus, B = (p->Y + p->X) * q->plus;
  const Field C = p->T * q->T2d, D = p->Z * q->Z2;
  complete<T>(r, sub(B, A), sub(D, C), D + C, B + A);
}

template <WithT T>
NEVER_INLINE void subtract(Point* r, const Point* p, const Cached* q) {
  const Field A = sub(p->Y, p->X) * q->plus, B = (p->Y + p->X) * q->minus;
  const Field C = p->T * q->T2d, D = p->Z * q->Z2;
  complete<T>(r, sub(B, A), D + C, sub(D, C), B + A);
}

template <WithT T>
NEVER_INLINE void add(Point* r, const Point* p, const Affine* q) {
  const Field A = sub(p->Y, p->X) * q->minus, B = (p->Y + p->X) * q->plus;
  const Field C = p->T * q->xy2d, D = p->Z + p->Z;
  complete<T>(r, sub(B, A), sub(D, C), D + C, B + A);
}

template <WithT T>
NEVER_INLINE void subtract(Point* r, const Point* p, const Affine* q) {
  const Field A = sub(p->Y, p->X) * q->plus, B = (p->Y + p->X) * q->minus;
  const Field C = p->T * q->xy2d, D = p->Z + p->Z;
  complete<T>(r, sub(B, A), D + C, sub(D, C), B + A);
}

inline Cached toCached(const Point& p) {
  return {p.Y + p.X, sub(p.Y, p.X), p.Z + p.Z, p.T * CURVE_2D};
}

/** Of a point with Z = 1. */
inline Affine toAffine(const Point& p) {
  return {carry(p.Y + p.X), carry(sub(p.Y, p.X)), p.T * CURVE_2D};
}

inline Point sum(const Point& a, const Point& b) {
  const Cached cached = toCached(b);
  Point r;
  add<WithT::yes>(&r, &a, &cached);
  return r;
}

inline Point difference(const Point& a, const Point& b) {
  const Cached cached = toCached(b);
  Point r;
  subtract<WithT::yes>(&r, &a, &cached);
  return r;
}

inline Point timesEight(const Point& p) {
  Point r;
  doubled<WithT::no>(&r, &p);
  doubled<WithT::no>(&r, &r);
  doubled<WithT::yes>(&r, &r);
  return r;
}

inline bool isIdentity(const Point& p) { return isZero(p.X) && isEqual(p.Y, p.Z); }

/** The encoding of the point, given 1/Z: y with the parity of x in the top bit. */
inline void encodeWithInverse(u8* bytes, const Point& p, const Field& inverseZ) {
  fieldToBytes(bytes, p.Y * inverseZ);
  bytes[31] ^= static_cast<u8>(isOdd(p.X * inverseZ) << 7);
}

inline void encode(u8* bytes, const Point& p) { encodeWithInverse(bytes, p, invert(p.Z)); }

/** Two encodings for one inversion. */
inline void encodePair(u8* first, u8* second, const Point& p, const Point& q) {
  const Field inverse = invert(p.Z * q.Z);
  encodeWithInverse(first, p, inverse * q.Z);
  encodeWithInverse(second, q, inverse * p.Z);
}

/** u·v³·(u·v⁷)^((p-5)/8): its square is u/v times a fourth root of unity. */
inline Field rootCandidate(const Field& u, const Field& v) {
  const Field v3 = square(v) * v;
  const Field v7 = square(v3) * v;
  return u * v3 * powerForRoot(u * v7);
}

/** True if the low 255 bits are below p, that is not 2^255 - 19 … 2^255 - 1. */
inline bool isCanonicalField(const u8* bytes) {
  return !(load64(bytes) >= u64(-19) && load64(bytes + 8) == u64(-1) &&
           load64(bytes + 16) == u64(-1) && (load64(bytes + 24) | u64{1} << 63) == u64(-1));
}

/**
 * Decodes 32 bytes under Monero's rule (upstream `ge_frombytes_vartime`): y below p, x from the
 * curve equation with the parity of the top bit, and no sign for x = 0. Torsion is allowed.
 */
inline bool decode(Point* r, const u8* bytes) {
  if (!isCanonicalField(bytes)) return false;
  const Field y = fieldFromBytes(bytes);
  const Field yy = square(y);
  const Field u = carry(sub(yy, FIELD_ONE));
  const Field v = carry(CURVE_D * yy + FIELD_ONE);  // never 0: -1/d is not a square
  Field x = rootCandidate(u, v);
  const Field vxx = square(x) * v;
  if (!isEqual(vxx, u)) {
    if (!isZero(vxx + u)) return false;
    x = x * SQRT_MINUS_ONE;
  }
  const bool wantOdd = (bytes[31] >> 7) != 0;
  if (isOdd(x) != wantOdd) {
    if (isZero(x)) return false;
    x = negate(x);
  }
  *r = {x, y, FIELD_ONE, x * y};
  return true;
}

// The coefficient A = 486662 of Curve25519, and square roots that take the candidate root of
// fromField to the wanted one; either of the two roots will do, the sign is set afterwards.
constexpr Field MINUS_A = {
    {0x7fffffff892e7, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff}};
constexpr Field MINUS_A_SQUARED = {
    {0x7ffc8db3de3c9, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff}};
/** √(2A(A+2)) */
constexpr Field ROOT_FOR_W = {
    {0x19b7c9f83650d, 0x73f75210405a4, 0x7a68106b887f2, 0x184b715d7241f, 0x32f9e1f5fba5d}};
/** √(-2A(A+2)) */
constexpr Field ROOT_FOR_MINUS_W = {
    {0x0968acde3bdff, 0x2e8dab18e5bab, 0x139870b9afed, 0x2746fab1d645f, 0x18e04102529e}};
/** √(i·A(A+2)), i = SQRT_MINUS_ONE */
constexpr Field ROOT_FOR_I_W = {
    {0x51903b6b39186, 0x11427e94930a7, 0x3dd0cbbb91bf0, 0x5fc93607a443f, 0x1a43f3031067d}};
/** √(-i·A(A+2)) */
constexpr Field ROOT_FOR_MINUS_I_W = {
    {0x48278e8cfd387, 0x62b4d37bad4fc, 0x3c9744aff6c02, 0x38823b55cdfe0, 0x18b5eef2eb3df}};

/** All 256 bits of 32 bytes modulo p: the top bit stands for 2^255 = 19. */
inline Field fieldFromAllBits(const u8* bytes) {
  Field u = fieldFromBytes(bytes);
  u.limb[0] += 19 * static_cast<u64>(bytes[31] >> 7);
  return u;
}

/** The map of 32 bytes to a curve point (upstream `ge_fromfe_frombytes_vartime`). */
inline Point fromField(const u8* bytes) {
  const Field u = fieldFromAllBits(bytes);
  const Field uu = square(u);
  const Field v = carry(uu + uu);
  const Field w = carry(v + FIELD_ONE);
  const Field x = carry(square(w) + MINUS_A_SQUARED * v);
  Field root = rootCandidate(w, x);
  const Field y = square(root) * x;

  Field z = MINUS_A;
  bool wantOdd = true;
  const bool isW = isEqual(y, w);
  if (isW || isZero(y + w)) {
    root = root * (isW ? ROOT_FOR_W : ROOT_FOR_MINUS_W) * u;
    z = z * v;
    wantOdd = false;
  } else {
    root = root * (isEqual(y * SQRT_MINUS_ONE, w) ? ROOT_FOR_I_W : ROOT_FOR_MINUS_I_W);
  }
  if (isOdd(root) != wantOdd) root = negate(root);
  // The affine point is (root, (z - w)/(z + w)).
  const Field sum = carry(z + w), difference = carry(sub(z, w));
  return {root * sum, difference, sum, root * difference};
}

/** Hp: 8·map(Keccak-256(data)) (upstream `hash_to_ec`). */
inline Point hashToPoint(const u8* data, size_t size) {
  u8 hash[32];
  keccak256(hash, data, size);
  return timesEight(fromField(hash));
}

/** Hs: the hash modulo l. */
inline Scalar finishToScalar(Keccak hash) {
  u8 bytes[32];
  hash.finish(bytes);
  return scalarFromBytes(bytes);
}

}  // namespace
}  // namespace monero
