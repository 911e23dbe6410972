// Entry points of the AVX-512 IFMA code; the ifma_*.cc files are compiled for processors that have
// it. Call them only if isIfmaAvailable(). They use no C++ library: see bytes.h.
#pragma once

#include "batch.h"
#include "clsag.h"
#include "generators.h"
#include "ownership.h"

namespace monero {

/** True if IFMA code was compiled in and processor and operating system support it. */
bool isIfmaAvailable();

namespace ifma {

/** Most signatures in one call of verifyClsags. */
constexpr size_t CLSAG_LANES = 8;

enum class Verdict : u8 { refused, accepted, /** the portable code must decide */ open };

/**
 * Verifies one to eight signatures over rings of one size in lockstep; best with 1, 2, 4 or 8. A
 * signature whose key image has torsion stays open. False if memory ran out.
 */
bool verifyClsags(const Clsag* const* proofs, size_t count, Verdict* verdicts);

/** Decodes any number of points; false if one of them is not a point. */
bool decodeAll(Point* points, const u8* const* encoded, size_t count);

/** Hp of any number of keys of 32 bytes. */
void hashAllToPoints(Point* points, const u8* const* keys, size_t count);

/** The encodings of any number of sums. */
void encodePairSums(ScalarBytes* encoded, const PairSum* sums, size_t count);

/** Multiples of points that have tables: FIXED_MULTIPLES entries each, 1P, 2P, … */
struct FixedTerms {
  const Affine* tables;
  const ScalarBytes* scalars;
  size_t count;
};

/** The sum of all multiples; scalars are below 2^253. False if memory ran out. */
bool sumOfMultiples(Point* result, const FixedTerms& fixed, const Point* points,
                    const ScalarBytes* scalars, size_t count);

/** The encodings of scalar·P for any number of points P; the scalar is below 2^253. */
void multiplyAndEncode(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar);

/** As in ownership.h, for at least one point or candidate. */
void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret);
void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count);

}  // namespace ifma
}  // namespace monero
