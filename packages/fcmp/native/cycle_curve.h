// Helios and Selene, y² = x³ - 3x + b, two curves of which each has the other's field as its scalars. Sums are kept as x = X/ZZ
// and y = Y/ZZZ with ZZ³ = ZZZ² (Explicit-Formulas Database, "XYZZ coordinates"), the identity as ZZ = 0.
#pragma once

#include "prime_field.h"

namespace monero {

/** C2 of the paper: over p. */
struct Helios {
  using Coordinate = PrimeP;
  using Scalar = PrimeQ;
  static constexpr const char* NAME = "Helios";
  static constexpr Element<PrimeP> B = {
      {0x460b82b980fd8c60, 0x32be360d07da8c5b, 0x0cb42071569fab64, 0x26bdec0884fe05f2}};
};

/** C1 of the paper: over q. */
struct Selene {
  using Coordinate = PrimeQ;
  using Scalar = PrimeP;
  static constexpr const char* NAME = "Selene";
  static constexpr Element<PrimeQ> B = {
      {0x2265f309ba81efe4, 0xe3401c3d031d14ca, 0xc597c2e1e25bc748, 0x38c40d10c226ef3b}};
};

/** A point that is not the identity. */
template <typename Curve>
struct CycleAffine {
  Element<typename Curve::Coordinate> x, y;
};

/** Any point. */
template <typename Curve>
struct CycleSum {
  Element<typename Curve::Coordinate> X, Y, ZZ, ZZZ;

  static constexpr CycleSum identity() { return {{}, {}, {}, {}}; }
};

namespace {

template <typename Curve>
ALWAYS_INLINE bool isIdentity(const CycleSum<Curve>& p) {
  return isZero(p.ZZ);
}

template <typename Curve>
inline CycleSum<Curve> toSum(const CycleAffine<Curve>& p) {
  using F = Element<typename Curve::Coordinate>;
  return {p.x, p.y, F::one(), F::one()};
}

template <typename Curve>
ALWAYS_INLINE CycleAffine<Curve> negate(const CycleAffine<Curve>& p) {
  return {p.x, negate(p.y)};
}

/** 2p. No point has y = 0, as the order is odd; the identity stays what it is. */
template <typename Curve>
NEVER_INLINE void doublePoint(CycleSum<Curve>* p) {
  const auto U = doubled(p->Y), V = square(U), W = U * V, S = p->X * V;
  const auto difference = square(p->X) - square(p->ZZ);
  const auto M = doubled(difference) + difference;
  const auto X = square(M) - doubled(S);
  p->Y = M * (S - X) - W * p->Y;
  p->X = X;
  p->ZZ = V * p->ZZ;
  p->ZZZ = W * p->ZZZ;
}

// The common end of both additions: a = (X1, Y1) and b with the coordinates U2, S2 for the same denominators. Answers the new
// X and Y, and the square and cube by which the denominators grow.
template <typename F>
ALWAYS_INLINE void addAligned(const F& X1, const F& Y1, const F& P, const F& R, F* X, F* Y, F* PP,
                              F* PPP) {
  *PP = square(P);
  *PPP = P * *PP;
  const F Q = X1 * *PP;
  *X = square(R) - *PPP - doubled(Q);
  *Y = R * (Q - *X) - Y1 * *PPP;
}

/** p + q, for all points, equal and opposite ones too. */
template <typename Curve>
NEVER_INLINE void addPoint(CycleSum<Curve>* p, const CycleAffine<Curve>& q) {
  if (isIdentity(*p)) {
    *p = toSum(q);
    return;
  }
  const auto P = q.x * p->ZZ - p->X, R = q.y * p->ZZZ - p->Y;
  if (isZero(P)) {
    if (isZero(R))
      doublePoint(p);
    else
      *p = CycleSum<Curve>::identity();
    return;
  }
  Element<typename Curve::Coordinate> X, Y, PP, PPP;
  addAligned(p->X, p->Y, P, R, &X, &Y, &PP, &PPP);
  *p = {X, Y, p->ZZ * PP, p->ZZZ * PPP};
}

template <typename Curve>
NEVER_INLINE void addPoint(CycleSum<Curve>* p, const CycleSum<Curve>& q) {
  if (isIdentity(q)) return;
  if (isIdentity(*p)) {
    *p = q;
    return;
  }
  const auto U1 = p->X * q.ZZ, S1 = p->Y * q.ZZZ;
  const auto P = q.X * p->ZZ - U1, R = q.Y * p->ZZZ - S1;
  if (isZero(P)) {
    if (isZero(R))
      doublePoint(p);
    else
      *p = CycleSum<Curve>::identity();
    return;
  }
  Element<typename Curve::Coordinate> X, Y, PP, PPP;
  addAligned(U1, S1, P, R, &X, &Y, &PP, &PPP);
  *p = {X, Y, p->ZZ * q.ZZ * PP, p->ZZZ * q.ZZZ * PPP};
}

/** x³ - 3x + b */
template <typename Curve>
inline Element<typename Curve::Coordinate> rightSide(const Element<typename Curve::Coordinate>& x) {
  return (square(x) - doubled(Element<typename Curve::Coordinate>::one()) -
          Element<typename Curve::Coordinate>::one()) *
             x +
         Curve::B;
}

/**
 * Decodes 32 bytes: x in bits 0 to 254, and whether y is odd in bit 255. False if x is not below the prime or belongs to no
 * point, which is so for zero, the identity.
 */
template <typename Curve>
inline bool decodePoint(CycleAffine<Curve>* point, const u8* bytes) {
  using Prime = typename Curve::Coordinate;
  point->x = elementFromBytes<Prime>(bytes);
  const bool wantOdd = (point->x.word[3] >> 63) != 0;
  point->x.word[3] &= ~(u64{1} << 63);
  if (!isReduced<Prime>(point->x.word)) return false;
  if (!squareRoot(&point->y, rightSide<Curve>(point->x))) return false;
  point->y = canonical(point->y);
  if (((point->y.word[0] & 1) != 0) != wantOdd) point->y = canonical(negate(point->y));
  return true;
}

/** Affine forms of points that are not the identity, for one inversion. */
template <typename Curve>
inline void toAffine(CycleAffine<Curve>* affine, const std::vector<CycleSum<Curve>>& sums) {
  std::vector<Element<typename Curve::Coordinate>> inverses;
  inverses.reserve(sums.size());
  for (const auto& sum : sums) inverses.push_back(sum.ZZZ);
  invertAll(&inverses);
  for (size_t i = 0; i < sums.size(); i++) {
    // ZZ/ZZZ is 1/Z, as ZZ = Z² and ZZZ = Z³.
    const auto inverseZ = sums[i].ZZ * inverses[i];
    affine[i] = {sums[i].X * square(inverseZ), sums[i].Y * inverses[i]};
  }
}

}  // namespace
}  // namespace monero
