// Pippenger's bucket method for sums of many multiples: every lane adds all points, each with the
// digits of its own part of the scalars.
//
// A scalar has 32 digits of eight bits; lane i takes the digits i·STEPS … (i+1)·STEPS - 1, and in each
// step all lanes work on one digit. A lane adds a point to the bucket of its digit's size.
#pragma once

#include "lanes_multiply.h"

namespace monero {
namespace MONERO_PATH {

/** Digits of a lane. */
constexpr int BUCKET_STEPS = 32 / LANES;
/** Digits are from -128 to 127; what has the digit 0 goes to bucket 0, which is not read. */
constexpr int BUCKETS = 129;

struct alignas(64) BucketPoint {
  Point point;
};

/** The buckets of one step. */
struct Buckets {
  BucketPoint bucket[LANES][BUCKETS];
};

namespace {

/** All digits of a scalar below 2^253, in the low bits of its lanes. */
inline Lanes bucketDigits(const u8* scalar) {
  u64 words[4];
  addBias(words, scalar, BYTE_BIAS);
  constexpr int LANES_PER_WORD = LANES / 4;
  constexpr int BITS = 64 / LANES_PER_WORD;
  return eachLane([&](int lane) {
    const u64 shifted = words[lane / LANES_PER_WORD] >> (lane % LANES_PER_WORD * BITS);
    return LANES_PER_WORD == 1 ? shifted : shifted & 0xffffffff;
  });
}

inline void emptyBuckets(Buckets* buckets) {
  for (auto& lane : buckets->bucket) {
    for (BucketPoint& bucket : lane) bucket.point = IDENTITY;
  }
}

/** The sum of k·bucket[k] in every lane, by running sums from the top. */
inline Points sumOfBuckets(Buckets* buckets) {
  Points running = identities(), total = identities();
  for (int k = BUCKETS - 1; k > 0; k--) {
    u64* places[LANES];
    for (int lane = 0; lane < LANES; lane++) places[lane] = buckets->bucket[lane][k].point.X.limb;
    const CachedPoints bucket = toCached(loadPoints(places));
    add<WithT::yes>(&running, &running, &bucket);
    const CachedPoints cached = toCached(running);
    add<WithT::yes>(&total, &total, &cached);
  }
  return total;
}

/** Adds all points to the buckets of their digits in one step. */
inline void fillBuckets(Buckets* buckets, const Affine* points, const Lanes* digits, size_t count,
                        int step) {
  emptyBuckets(buckets);
  for (size_t i = 0; i < count; i++) {
    const Lanes digit = minus(both(shiftRight(digits[i], 8 * step), all(255)), all(128));
    alignas(64) u64 numbers[LANES];
    storeLanes(numbers, digit);
    u64* places[LANES];
#pragma GCC unroll 8
    for (int lane = 0; lane < LANES; lane++) {
      const auto number = static_cast<int64_t>(numbers[lane]);
      places[lane] = buckets->bucket[lane][number < 0 ? -number : number].point.X.limb;
    }
    Points sum = loadPoints(places);
    const CachedPoints q = spreadAffine(points[i], digit);
    addAffine<WithT::yes>(&sum, &sum, &q);
    storePoints(places, sum);
  }
}

/** The sum of all multiples; `digits` from bucketDigits. */
inline Point sumByBuckets(const Affine* points, const Lanes* digits, size_t count,
                          Buckets* buckets) {
  Points total = identities();
  for (int step = BUCKET_STEPS - 1; step >= 0; step--) {
    if (step != BUCKET_STEPS - 1) {
      timesSixteen(&total);
      timesSixteen(&total);
    }
    fillBuckets(buckets, points, digits, count, step);
    const CachedPoints sum = toCached(sumOfBuckets(buckets));
    add<WithT::yes>(&total, &total, &sum);
  }
  // Lane i counts 2^(8·STEPS·i) times.
  Point parts[LANES];
  Point* pointers[LANES];
  for (int lane = 0; lane < LANES; lane++) pointers[lane] = &parts[lane];
  scatterPoints(pointers, total);
  Point result = parts[LANES - 1];
  for (int lane = LANES - 2; lane >= 0; lane--) {
    for (int i = 0; i < 8 * BUCKET_STEPS; i++) doubled<WithT::yes>(&result, &result);
    result = sum(result, parts[lane]);
  }
  return result;
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
