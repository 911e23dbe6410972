// The functions of the vector code: the files lanes_*.cc, compiled once for every path that has any.
// They are reached through the VectorCode of a path that this processor supports (cpu.h), and use no
// C++ library: see bytes.h.
#pragma once

#include "batch.h"
#include "clsag.h"
#include "generators.h"
#include "ownership.h"

namespace monero {

enum class Verdict : u8 { refused, accepted, /** the portable code must decide */ open };

/** Multiples of fixed points: G, H and then the first entries of a generator vector. */
struct FixedTerms {
  GeneratorKind kind;
  const ScalarBytes* scalars;
  /** At least 2. */
  size_t count;
};

/** The functions of one path. Those with a `count` take any number of items, but at least one. */
struct VectorCode {
  /** Lanes of a vector: the most signatures in one call of verifyClsags. */
  size_t lanes;

  /**
   * Verifies signatures over rings of one size in lockstep; best as many as there are lanes, or a half, a
   * quarter or an eighth of them. A signature whose key image has torsion stays open. False if memory ran out.
   */
  bool (*verifyClsags)(const Clsag* const* proofs, size_t count, Verdict* verdicts);

  /** Decodes points; false if one of them is not a point. */
  bool (*decodeAll)(Point* points, const u8* const* encoded, size_t count);

  /** Hp of keys of 32 bytes. */
  void (*hashAllToPoints)(Point* points, const u8* const* keys, size_t count);

  /** The encodings of sums. */
  void (*encodePairSums)(ScalarBytes* encoded, const PairSum* sums, size_t count);

  /**
   * The sum of all multiples, of any number of points with Z = 1; scalars are below 2^253. False if memory
   * ran out.
   */
  bool (*sumOfMultiples)(Point* result, const FixedTerms& fixed, const Point* points,
                         const ScalarBytes* scalars, size_t count);

  /** The encodings of scalar·P for points P; the scalar is below 2^253. */
  void (*multiplyAndEncode)(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar);

  /** As in ownership.h. */
  void (*keyDerivations)(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                         const u8* secret);
  void (*spendKeys)(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count);
};

#ifdef MONERO_PATH
/** The path that this object is compiled for. */
namespace MONERO_PATH {

bool verifyClsags(const Clsag* const* proofs, size_t count, Verdict* verdicts);
bool decodeAll(Point* points, const u8* const* encoded, size_t count);
void hashAllToPoints(Point* points, const u8* const* keys, size_t count);
void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count);
bool sumOfMultiples(Point* result, const FixedTerms& fixed, const Point* points,
                    const ScalarBytes* scalars, size_t count);
void multiplyAndEncode(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar);
void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret);
void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count);

extern const VectorCode CODE;

}  // namespace MONERO_PATH
#endif

}  // namespace monero
