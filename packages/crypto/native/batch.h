// Operations on many points at once, which vector code does in lanes; `code` is null for the portable one.
#pragma once

#include "cpu.h"
#include "group.h"

namespace monero {

/** s·A + c·B. The scalars are integers below 2^253, so torsion in the points counts as it should. */
struct PairSum {
  const Point* A;
  const Point* B;
  u8 s[32], c[32];
};

/** Decodes any number of points of 32 bytes; false if one of them is not a point. */
bool decodeAll(Point* points, const u8* const* encoded, size_t count, const VectorCode* code);

/** Hp of any number of keys of 32 bytes. */
void hashAllToPoints(Point* points, const u8* const* keys, size_t count, const VectorCode* code);

/** The encodings of points. */
void encodeAll(ScalarBytes* encoded, const Point* points, size_t count);

/** The encodings of the sums. Those with pointG() as A are the cheapest. */
void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count,
                    const VectorCode* code);

/** The base point G, always at the same address. */
const Point* pointG();

}  // namespace monero
