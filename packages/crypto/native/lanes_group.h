// The group of Ed25519 on a point in every lane; formulas and names as in group.h.
#pragma once

#include "group.h"
#include "lanes_field.h"
#include "lanes_keccak.h"

namespace monero {
namespace MONERO_PATH {

struct Points {
  Fields X, Y, Z, T;
};

struct CachedPoints {
  Fields plus, minus, Z2, T2d;
};

namespace {

// The functions of single elements and points, next to those of the same name for lanes.
using monero::doubled;
using monero::isEqual;
using monero::isIdentity;
using monero::isZero;
using monero::operator*;

ALWAYS_INLINE Points identities() {
  return {all(FIELD_ZERO), all(FIELD_ONE), all(FIELD_ONE), all(FIELD_ZERO)};
}

template <WithT T>
ALWAYS_INLINE void complete(Points* r, const Fields& E, const Fields& F, const Fields& G,
                            const Fields& H) {
  r->X = E * F;
  r->Y = G * H;
  r->Z = F * G;
  if (T == WithT::yes) r->T = E * H;
}

template <WithT T>
NEVER_INLINE void doubled(Points* r, const Points* p) {
  const Columns A = squareColumns(p->X), B = squareColumns(p->Y), C = squareColumns(p->Z);
  const Fields E = doubleProduct(p->X, p->Y, A, B);
  // F = 2C - (B - A)
  const Fields F = difference(addColumns(addColumns(C, C), A), B);
  complete<T>(r, E, F, difference(B, A), total(B, A));
}

/** Four doublings, the last one with T. */
inline void timesSixteen(Points* p) {
  doubled<WithT::no>(p, p);
  doubled<WithT::no>(p, p);
  doubled<WithT::no>(p, p);
  doubled<WithT::yes>(p, p);
}

enum class Sign { plus, minus };

/** p + q or p - q, where D is 2·Z of both. */
template <WithT T, Sign SIGN>
ALWAYS_INLINE void addWith(Points* r, const Points* p, const CachedPoints* q, const Columns& D) {
  constexpr bool PLUS = SIGN == Sign::plus;
  const Columns A = columns(differenceToMultiply(p->Y, p->X), PLUS ? q->minus : q->plus);
  const Columns B = columns(sumToMultiply(p->Y, p->X), PLUS ? q->plus : q->minus);
  const Columns C = columns(p->T, q->T2d);
  const Fields lower = difference(D, C), upper = total(D, C);
  complete<T>(r, difference(B, A), PLUS ? lower : upper, PLUS ? upper : lower, total(B, A));
}

template <WithT T>
NEVER_INLINE void add(Points* r, const Points* p, const CachedPoints* q) {
  addWith<T, Sign::plus>(r, p, q, columns(p->Z, q->Z2));
}

template <WithT T>
NEVER_INLINE void subtract(Points* r, const Points* p, const CachedPoints* q) {
  addWith<T, Sign::minus>(r, p, q, columns(p->Z, q->Z2));
}

/** The same for q with Z = 1: Z2 is not read. */
template <WithT T>
NEVER_INLINE void addAffine(Points* r, const Points* p, const CachedPoints* q) {
  addWith<T, Sign::plus>(r, p, q, twice(p->Z));
}

inline CachedPoints toCached(const Points& p) {
  return {p.Y + p.X, p.Y - p.X, p.Z + p.Z, p.T * all(CURVE_2D)};
}

inline Points timesEight(const Points& p) {
  Points r;
  doubled<WithT::no>(&r, &p);
  doubled<WithT::no>(&r, &r);
  doubled<WithT::yes>(&r, &r);
  return r;
}

inline LaneMask isIdentity(const Points& p) { return isZero(p.X) & isEqual(p.Y, p.Z); }

/** Lane i of the result is lane i + distance, counted around. */
inline Fields rotateLanes(Fields a, int distance) {
  for (Lanes& limb : a.limb) limb = rotateLanes(limb, distance);
  return a;
}

inline Points rotateLanes(const Points& p, int distance) {
  return {rotateLanes(p.X, distance), rotateLanes(p.Y, distance), rotateLanes(p.Z, distance),
          rotateLanes(p.T, distance)};
}

inline Points gatherPoints(const Point* const points[LANES]) {
  const auto gather = [&](Field Point::*coordinate) {
    const Field* elements[LANES];
    for (int lane = 0; lane < LANES; lane++) elements[lane] = &(points[lane]->*coordinate);
    return gatherFields(elements);
  };
  return {gather(&Point::X), gather(&Point::Y), gather(&Point::Z), gather(&Point::T)};
}

inline void scatterPoints(Point* const points[LANES], const Points& p) {
  const auto scatter = [&](Field Point::*coordinate, const Fields& value) {
    Field* elements[LANES];
    for (int lane = 0; lane < LANES; lane++) elements[lane] = &(points[lane]->*coordinate);
    scatterFields(elements, value);
  };
  scatter(&Point::X, p.X);
  scatter(&Point::Y, p.Y);
  scatter(&Point::Z, p.Z);
  scatter(&Point::T, p.T);
}

inline void encodeWithInverse(u8 (*bytes)[32], const Points& p, const Fields& inverseZ) {
  const Words y = canonical(p.Y * inverseZ);
  const LaneMask odd = isOdd(p.X * inverseZ);
  alignas(64) u64 limbs[5][LANES];
  for (int i = 0; i < 5; i++) storeLanes(limbs[i], y.word[i]);
  for (int lane = 0; lane < LANES; lane++) {
    fieldToBytes(bytes[lane], {{limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane],
                                limbs[4][lane]}});
    bytes[lane][31] ^= static_cast<u8>(((odd >> lane) & 1) << 7);
  }
}

inline void encode(u8 (*bytes)[32], const Points& p) { encodeWithInverse(bytes, p, invert(p.Z)); }

/** Two encodings in every lane for one inversion. */
inline void encodePair(u8 (*first)[32], u8 (*second)[32], const Points& p, const Points& q) {
  const Fields inverse = invert(p.Z * q.Z);
  encodeWithInverse(first, p, inverse * q.Z);
  encodeWithInverse(second, q, inverse * p.Z);
}

// Roots. The exponentiation takes most of the time of a decoding or a hash to a point, so it is
// done for N groups of LANES together: each algorithm comes in two parts, before and after it.

/** u, v and what is left of rootCandidate: u·v³ and, to be raised, u·v⁷. */
struct RootProblem {
  Fields u, v, uv3, uv7;
};

inline RootProblem rootProblem(const Fields& u, const Fields& v) {
  const Fields v3 = square(v) * v;
  const Fields uv3 = u * v3;
  return {u, v, uv3, uv3 * square(square(v))};
}

struct Decoding {
  Fields y;
  RootProblem root;
  LaneMask canonical, wantOdd;
};

inline Decoding startDecoding(const u8* const encoded[LANES]) {
  Decoding d;
  Field elements[LANES];
  const Field* pointers[LANES];
  d.canonical = d.wantOdd = 0;
  for (int lane = 0; lane < LANES; lane++) {
    elements[lane] = fieldFromBytes(encoded[lane]);
    pointers[lane] = &elements[lane];
    d.canonical |= static_cast<LaneMask>(isCanonicalField(encoded[lane]) << lane);
    d.wantOdd |= static_cast<LaneMask>((encoded[lane][31] >> 7) << lane);
  }
  d.y = gatherFields(pointers);
  const Fields yy = square(d.y);
  d.root = rootProblem(yy - all(FIELD_ONE), all(CURVE_D) * yy + all(FIELD_ONE));
  return d;
}

/** Answers the lanes that decode; the others hold nonsense. */
inline LaneMask finishDecoding(Points* r, const Decoding& d, const Fields& power) {
  Fields x = d.root.uv3 * power;
  const Fields vxx = square(x) * d.root.v;
  const LaneMask plain = isEqual(vxx, d.root.u);
  const LaneMask turned = isZero(vxx + d.root.u);
  x = select(plain, x * all(SQRT_MINUS_ONE), x);
  const LaneMask flip = isOdd(x) ^ d.wantOdd;
  const LaneMask badSign = flip & isZero(x);
  x = negateIf(flip, x);
  *r = {x, d.y, all(FIELD_ONE), x * d.y};
  return d.canonical & (plain | turned) & ~badSign;
}

/** Decodes an encoding in every lane; answers the lanes that are points. */
inline LaneMask decode(Points* r, const u8* const encoded[LANES]) {
  const Decoding d = startDecoding(encoded);
  Fields power;
  powerForRoot<1>(&power, &d.root.uv7);
  return finishDecoding(r, d, power);
}

struct Mapping {
  Fields u, v;
  RootProblem root;
};

/** Of Keccak hashes of 32 bytes, as fromField in group.h. */
inline Mapping startMapping(const u8 (*hashes)[32]) {
  Field elements[LANES];
  const Field* pointers[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    elements[lane] = fieldFromAllBits(hashes[lane]);
    pointers[lane] = &elements[lane];
  }
  Mapping m;
  m.u = carry(gatherFields(pointers));
  const Fields uu = square(m.u);
  m.v = uu + uu;
  const Fields w = m.v + all(FIELD_ONE);
  m.root = rootProblem(w, square(w) + all(MINUS_A_SQUARED) * m.v);
  return m;
}

inline Points finishMapping(const Mapping& m, const Fields& power) {
  const Fields& w = m.root.u;
  Fields root = m.root.uv3 * power;
  const Fields y = square(root) * m.root.v;
  const LaneMask isW = isEqual(y, w);
  const LaneMask first = isW | isZero(y + w);
  const LaneMask isIW = isEqual(y * all(SQRT_MINUS_ONE), w);
  const Fields forW = select(isW, all(ROOT_FOR_MINUS_W), all(ROOT_FOR_W));
  const Fields forIW = select(isIW, all(ROOT_FOR_MINUS_I_W), all(ROOT_FOR_I_W));
  root = root * select(first, forIW, forW);
  root = select(first, root, root * m.u);
  const Fields z = select(first, all(MINUS_A), all(MINUS_A) * m.v);
  const LaneMask wantOdd = static_cast<LaneMask>(~first);
  root = negateIf(isOdd(root) ^ wantOdd, root);
  const Fields sum = z + w, difference = z - w;
  return {root * sum, difference, sum, root * difference};
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
