// The field in the lanes of a vector, for one of the paths that the vector code is compiled for.
//
// Every file lanes_*.cc is compiled once for each path, with the compiler's flags for it and with
// MONERO_PATH defined as the path's name: its namespace. The path's own headers define Lanes, LANES
// of 64 bits each, and the arithmetic of Fields, which hold an element in every lane; all that is
// built on them is written once.
#pragma once

#ifdef __AVX512IFMA__
#include "ifma_field.h"
#else
#include "avx2_field.h"
#endif

namespace monero {
namespace MONERO_PATH {

namespace {

/** The representative below p in every lane; see canonical in field.h. */
inline Words canonical(const Fields& a) {
  const Lanes mask = all(MASK51);
  Words t = toWords(a);
  Lanes* w = t.word;
  const auto carryUp = [&] {
    for (int i = 0; i < 4; i++) {
      w[i + 1] = plus(w[i + 1], shiftRight<51>(w[i]));
      w[i] = both(w[i], mask);
    }
  };
  for (int round = 0; round < 2; round++) {
    carryUp();
    w[0] = addTimes19(w[0], shiftRight<51>(w[4]));
    w[4] = both(w[4], mask);
  }
  Lanes c = shiftRight<51>(plus(w[0], all(19)));
  for (int i = 1; i < 5; i++) c = shiftRight<51>(plus(w[i], c));
  w[0] = addTimes19(w[0], c);
  carryUp();
  w[4] = both(w[4], mask);
  return t;
}

inline LaneMask isZero(const Fields& a) {
  const Words t = canonical(a);
  const Lanes low = either(t.word[0], t.word[1]), middle = either(t.word[2], t.word[3]);
  return zeroLanes(either(either(low, middle), t.word[4]));
}

inline LaneMask isEqual(const Fields& a, const Fields& b) { return isZero(a - b); }

inline LaneMask isOdd(const Fields& a) { return oddLanes(canonical(a).word[0]); }

/** Negates the lanes of the mask. */
ALWAYS_INLINE Fields negateIf(LaneMask mask, const Fields& a) {
  return select(mask, a, all(FIELD_ZERO) - a);
}

/** Lane `lane` of the result is element `lane`. */
inline Fields gatherFields(const Field* const elements[LANES]) {
  Words r;
  for (int i = 0; i < 5; i++) {
    r.word[i] = eachLane([&](int lane) { return elements[lane]->limb[i]; });
  }
  return toFields(r);
}

/** Carries, so that the elements are reduced as field.h asks for. */
inline void scatterFields(Field* const elements[LANES], const Fields& a) {
  const Words t = toWords(a);
  alignas(64) u64 words[LANES];
  for (int i = 0; i < 5; i++) {
    const Lanes low = both(t.word[i], all(MASK51)), below = shiftRight<51>(t.word[(i + 4) % 5]);
    storeLanes(words, i == 0 ? addTimes19(low, below) : plus(low, below));
    for (int lane = 0; lane < LANES; lane++) elements[lane]->limb[i] = words[lane];
  }
}

/** a_n^(2^times) for N elements side by side: one alone would wait for its own results. */
template <int N>
NEVER_INLINE void squareTimes(Fields* r, const Fields* a, int times) {
  Fields t[N];
  for (int n = 0; n < N; n++) t[n] = a[n];
  for (int i = 0; i < times; i++) {
    for (int n = 0; n < N; n++) t[n] = square(t[n]);
  }
  for (int n = 0; n < N; n++) r[n] = t[n];
}

template <int N>
NEVER_INLINE void multiply(Fields* r, const Fields* a, const Fields* b) {
  for (int n = 0; n < N; n++) r[n] = a[n] * b[n];
}

/** x^((p-5)/8) of N elements; the chain of power250 in field.h. */
template <int N>
inline void powerForRoot(Fields* r, const Fields* x) {
  Fields a[N], b[N], x5[N], x10[N], x50[N];
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
inline Fields invert(const Fields& x) {
  Fields r;
  powerForRoot<1>(&r, &x);
  squareTimes<1>(&r, &r, 3);
  return r * (square(x) * x);
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
