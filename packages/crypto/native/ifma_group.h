// The group of Ed25519 on eight points at a time; formulas and names as in group.h.
#pragma once

#include "group.h"
#include "ifma_field.h"
#include "ifma_keccak.h"

namespace monero {

struct Point8 {
  Field8 X, Y, Z, T;
};

struct Cached8 {
  Field8 plus, minus, Z2, T2d;
};

namespace {

ALWAYS_INLINE Point8 identity8() {
  return {all(FIELD_ZERO), all(FIELD_ONE), all(FIELD_ONE), all(FIELD_ZERO)};
}

template <WithT T>
ALWAYS_INLINE void complete(Point8* r, const Field8& E, const Field8& F, const Field8& G,
                            const Field8& H) {
  r->X = E * F;
  r->Y = G * H;
  r->Z = F * G;
  if (T == WithT::yes) r->T = E * H;
}

template <WithT T>
NEVER_INLINE void doubled(Point8* r, const Point8* p) {
  const Columns8 XY = columns(p->X, p->Y);
  const Columns8 A = squareColumns(p->X), B = squareColumns(p->Y), C = squareColumns(p->Z);
  // F = 2C - (B - A)
  complete<T>(r, carry(addColumns(XY, XY)), difference(addColumns(addColumns(C, C), A), B),
              difference(B, A), carry(addColumns(B, A)));
}

/** Four doublings, the last one with T. */
inline void timesSixteen(Point8* p) {
  doubled<WithT::no>(p, p);
  doubled<WithT::no>(p, p);
  doubled<WithT::no>(p, p);
  doubled<WithT::yes>(p, p);
}

/** p + q in the lanes where `negative` is not set, p - q where it is. */
template <WithT T>
NEVER_INLINE void add(Point8* r, const Point8* p, const Cached8* q, LaneMask negative) {
  const Columns8 A = columns(p->Y - p->X, select(negative, q->minus, q->plus));
  const Columns8 B = columns(p->Y + p->X, select(negative, q->plus, q->minus));
  const Columns8 C = columns(p->T, q->T2d);
  const Columns8 D = columns(p->Z, q->Z2);
  const Field8 lower = difference(D, C), upper = carry(addColumns(D, C));
  complete<T>(r, difference(B, A), select(negative, lower, upper), select(negative, upper, lower),
              carry(addColumns(B, A)));
}

/** The same for q with Z = 1: Z2 is not read. */
template <WithT T>
NEVER_INLINE void addAffine(Point8* r, const Point8* p, const Cached8* q, LaneMask negative) {
  const Columns8 A = columns(p->Y - p->X, select(negative, q->minus, q->plus));
  const Columns8 B = columns(p->Y + p->X, select(negative, q->plus, q->minus));
  const Columns8 C = columns(p->T, q->T2d);
  const Columns8 D = twice(p->Z);
  const Field8 lower = difference(D, C), upper = carry(addColumns(D, C));
  complete<T>(r, difference(B, A), select(negative, lower, upper), select(negative, upper, lower),
              carry(addColumns(B, A)));
}

inline Cached8 toCached(const Point8& p) {
  return {p.Y + p.X, p.Y - p.X, p.Z + p.Z, p.T * all(CURVE_2D)};
}

inline Point8 timesEight(const Point8& p) {
  Point8 r;
  doubled<WithT::no>(&r, &p);
  doubled<WithT::no>(&r, &r);
  doubled<WithT::yes>(&r, &r);
  return r;
}

inline LaneMask isIdentity(const Point8& p) { return isZero(p.X) & isEqual(p.Y, p.Z); }

/** The order of lanes changes: lane i of the result is lane (i + distance) mod 8. */
inline Field8 rotateLanes(const Field8& a, int distance) {
  const Lanes index = _mm512_and_si512(
      plus(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), all(static_cast<u64>(distance))), all(7));
  Field8 r;
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_permutexvar_epi64(index, a.limb[i]);
  return r;
}

inline Point8 rotateLanes(const Point8& p, int distance) {
  return {rotateLanes(p.X, distance), rotateLanes(p.Y, distance), rotateLanes(p.Z, distance),
          rotateLanes(p.T, distance)};
}

inline Point8 gatherPoints(const Point* const points[8]) {
  const auto gather = [&](Field Point::*coordinate) {
    const Field* elements[8];
    for (int lane = 0; lane < 8; lane++) elements[lane] = &(points[lane]->*coordinate);
    return gatherFields(elements);
  };
  return {gather(&Point::X), gather(&Point::Y), gather(&Point::Z), gather(&Point::T)};
}

inline void scatterPoints(Point* const points[8], const Point8& p) {
  const auto scatter = [&](Field Point::*coordinate, const Field8& value) {
    Field* elements[8];
    for (int lane = 0; lane < 8; lane++) elements[lane] = &(points[lane]->*coordinate);
    scatterFields(elements, value);
  };
  scatter(&Point::X, p.X);
  scatter(&Point::Y, p.Y);
  scatter(&Point::Z, p.Z);
  scatter(&Point::T, p.T);
}

inline void encodeWithInverse(u8 (*bytes)[32], const Point8& p, const Field8& inverseZ) {
  const Field8 y = canonical(p.Y * inverseZ);
  const LaneMask odd = isOdd(p.X * inverseZ);
  alignas(64) u64 limbs[5][8];
  for (int i = 0; i < 5; i++) _mm512_store_si512(limbs[i], y.limb[i]);
  for (int lane = 0; lane < 8; lane++) {
    fieldToBytes(bytes[lane], {{limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane],
                                limbs[4][lane]}});
    bytes[lane][31] ^= static_cast<u8>(((odd >> lane) & 1) << 7);
  }
}

inline void encode(u8 (*bytes)[32], const Point8& p) { encodeWithInverse(bytes, p, invert(p.Z)); }

/** Two encodings in every lane for one inversion. */
inline void encodePair(u8 (*first)[32], u8 (*second)[32], const Point8& p, const Point8& q) {
  const Field8 inverse = invert(p.Z * q.Z);
  encodeWithInverse(first, p, inverse * q.Z);
  encodeWithInverse(second, q, inverse * p.Z);
}

// Roots. The exponentiation takes most of the time of a decoding or a hash to a point, so it is
// done for N groups of eight together: each algorithm comes in two parts, before and after it.

/** u, v and what is left of rootCandidate: u·v³ and, to be raised, u·v⁷. */
struct RootProblem {
  Field8 u, v, uv3, uv7;
};

inline RootProblem rootProblem(const Field8& u, const Field8& v) {
  const Field8 v3 = square(v) * v;
  const Field8 uv3 = u * v3;
  return {u, v, uv3, uv3 * square(square(v))};
}

struct Decoding {
  Field8 y;
  RootProblem root;
  LaneMask canonical, wantOdd;
};

inline Decoding startDecoding(const u8* const encoded[8]) {
  Decoding d;
  alignas(64) u64 words[5][8];
  d.canonical = d.wantOdd = 0;
  for (int lane = 0; lane < 8; lane++) {
    const Field y = fieldFromBytes(encoded[lane]);
    for (int i = 0; i < 5; i++) words[i][lane] = y.limb[i];
    d.canonical |= static_cast<LaneMask>(isCanonicalField(encoded[lane]) << lane);
    d.wantOdd |= static_cast<LaneMask>((encoded[lane][31] >> 7) << lane);
  }
  for (int i = 0; i < 5; i++) d.y.limb[i] = _mm512_load_si512(words[i]);
  const Field8 yy = square(d.y);
  d.root = rootProblem(yy - all(FIELD_ONE), all(CURVE_D) * yy + all(FIELD_ONE));
  return d;
}

/** Answers the lanes that decode; the others hold nonsense. */
inline LaneMask finishDecoding(Point8* r, const Decoding& d, const Field8& power) {
  Field8 x = d.root.uv3 * power;
  const Field8 vxx = square(x) * d.root.v;
  const LaneMask plain = isEqual(vxx, d.root.u);
  const LaneMask turned = isZero(vxx + d.root.u);
  x = select(plain, x * all(SQRT_MINUS_ONE), x);
  const LaneMask flip = isOdd(x) ^ d.wantOdd;
  const LaneMask badSign = flip & isZero(x);
  x = negateIf(flip, x);
  *r = {x, d.y, all(FIELD_ONE), x * d.y};
  return d.canonical & (plain | turned) & ~badSign;
}

/** Decodes eight encodings; answers the lanes that are points. */
inline LaneMask decode(Point8* r, const u8* const encoded[8]) {
  const Decoding d = startDecoding(encoded);
  Field8 power;
  powerForRoot<1>(&power, &d.root.uv7);
  return finishDecoding(r, d, power);
}

struct Mapping {
  Field8 u, v;
  RootProblem root;
};

/** Of Keccak hashes of 32 bytes, as fromField in group.h. */
inline Mapping startMapping(const u8 (*hashes)[32]) {
  Field elements[8];
  const Field* pointers[8];
  for (int lane = 0; lane < 8; lane++) {
    elements[lane] = fieldFromAllBits(hashes[lane]);
    pointers[lane] = &elements[lane];
  }
  Mapping m;
  m.u = carry(gatherFields(pointers));
  const Field8 uu = square(m.u);
  m.v = uu + uu;
  const Field8 w = m.v + all(FIELD_ONE);
  m.root = rootProblem(w, square(w) + all(MINUS_A_SQUARED) * m.v);
  return m;
}

inline Point8 finishMapping(const Mapping& m, const Field8& power) {
  const Field8& w = m.root.u;
  Field8 root = m.root.uv3 * power;
  const Field8 y = square(root) * m.root.v;
  const LaneMask isW = isEqual(y, w);
  const LaneMask first = isW | isZero(y + w);
  const LaneMask isIW = isEqual(y * all(SQRT_MINUS_ONE), w);
  const Field8 forW = select(isW, all(ROOT_FOR_MINUS_W), all(ROOT_FOR_W));
  const Field8 forIW = select(isIW, all(ROOT_FOR_MINUS_I_W), all(ROOT_FOR_I_W));
  root = root * select(first, forIW, forW);
  root = select(first, root, root * m.u);
  const Field8 z = select(first, all(MINUS_A), all(MINUS_A) * m.v);
  const LaneMask wantOdd = static_cast<LaneMask>(~first);
  root = negateIf(isOdd(root) ^ wantOdd, root);
  const Field8 sum = z + w, difference = z - w;
  return {root * sum, difference, sum, root * difference};
}

}  // namespace
}  // namespace monero
