// Multiples of points by interleaved non-adjacent forms (Straus, Shamir).
#pragma once

#include "group.h"

namespace monero {

/** The odd multiples 1P, 3P, … 15P: digits of width 5. */
constexpr int VARIABLE_WIDTH = 5;
struct OddMultiples {
  Cached entry[8];
};

/** A term of a sum: digits over a table of odd multiples, one of the two tables set. */
struct NafTerm {
  int8_t digits[256];
  int top;
  const Cached* cached;
  const Affine* affine;
};

namespace {

inline void fillOddMultiples(OddMultiples* table, const Point& p) {
  Point twice, multiple = p;
  doubled<WithT::yes>(&twice, &p);
  table->entry[0] = toCached(p);
  const Cached step = toCached(twice);
  for (int i = 1; i < 8; i++) {
    add<WithT::yes>(&multiple, &multiple, &step);
    table->entry[i] = toCached(multiple);
  }
}

/**
 * first, first + step, … in affine form with one inversion; `scratch` holds `count` points.
 */
inline void fillAffineMultiples(Affine* table, int count, const Point& first, const Point& step,
                                Point* scratch) {
  const Cached cachedStep = toCached(step);
  scratch[0] = first;
  // table[i].plus holds the product of the first i + 1 denominators for the time being.
  table[0].plus = first.Z;
  for (int i = 1; i < count; i++) {
    add<WithT::yes>(&scratch[i], &scratch[i - 1], &cachedStep);
    table[i].plus = table[i - 1].plus * scratch[i].Z;
  }
  Field inverse = invert(table[count - 1].plus);
  for (int i = count - 1; i >= 0; i--) {
    const Field inverseZ = i == 0 ? inverse : inverse * table[i - 1].plus;
    inverse = inverse * scratch[i].Z;
    const Field x = scratch[i].X * inverseZ, y = scratch[i].Y * inverseZ;
    table[i] = toAffine({x, y, FIELD_ONE, x * y});
  }
}

/** p, 3p, 5p, … */
inline void fillAffineOddMultiples(Affine* table, int count, const Point& p, Point* scratch) {
  Point twice;
  doubled<WithT::yes>(&twice, &p);
  fillAffineMultiples(table, count, p, twice, scratch);
}

inline NafTerm nafTerm(const u8* scalar, const OddMultiples& table) {
  NafTerm term;
  term.top = nonAdjacentForm(term.digits, scalar, VARIABLE_WIDTH);
  term.cached = table.entry;
  term.affine = nullptr;
  return term;
}

inline NafTerm nafTerm(const u8* scalar, const Affine* table, int width) {
  NafTerm term;
  term.top = nonAdjacentForm(term.digits, scalar, width);
  term.cached = nullptr;
  term.affine = table;
  return term;
}

template <WithT T>
ALWAYS_INLINE void addDigit(Point* r, const NafTerm& term, int digit) {
  if (term.affine != nullptr) {
    if (digit > 0) {
      add<T>(r, r, &term.affine[digit >> 1]);
    } else {
      subtract<T>(r, r, &term.affine[-digit >> 1]);
    }
  } else if (digit > 0) {
    add<T>(r, r, &term.cached[digit >> 1]);
  } else {
    subtract<T>(r, r, &term.cached[-digit >> 1]);
  }
}

/** The sum of all terms. T is right in the result. */
template <int N>
inline Point sumOfMultiples(const NafTerm (&terms)[N]) {
  int top = 0;
  for (const NafTerm& term : terms) top = term.top > top ? term.top : top;
  Point r = IDENTITY;
  for (int i = top; i >= 0; i--) {
    const NafTerm* pending[N];
    int count = 0;
    for (const NafTerm& term : terms) {
      if (term.digits[i] != 0) pending[count++] = &term;
    }
    if (count == 0 && i != 0) {
      doubled<WithT::no>(&r, &r);
      continue;
    }
    doubled<WithT::yes>(&r, &r);
    // Only the last addition before a doubling may leave T out.
    for (int k = 0; k + 1 < count; k++)
      addDigit<WithT::yes>(&r, *pending[k], pending[k]->digits[i]);
    if (count == 0) continue;
    const NafTerm& last = *pending[count - 1];
    if (i == 0) {
      addDigit<WithT::yes>(&r, last, last.digits[i]);
    } else {
      addDigit<WithT::no>(&r, last, last.digits[i]);
    }
  }
  return r;
}

inline Point multiply(const u8* scalar, const Point& p) {
  OddMultiples table;
  fillOddMultiples(&table, p);
  return sumOfMultiples({nafTerm(scalar, table)});
}

/** True if l·P is the identity. */
inline bool isInPrimeSubgroup(const Point& p) { return isIdentity(multiply(ORDER_BYTES, p)); }

}  // namespace
}  // namespace monero
