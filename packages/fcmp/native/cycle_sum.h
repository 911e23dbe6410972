// Sums of multiples of points on Helios or Selene.
#pragma once

#include "cycle_curve.h"

namespace monero {

/** What is to be added up. Scalars are 32 bytes each, below 2^255. */
struct CycleTerms {
  /** x and y of each point, 32 bytes each, below the prime. */
  const u8* points;
  const u8* scalars;
  size_t count;
  /** Of g, h, G_0 … G_(pairs-1), H_0 … H_(pairs-1). */
  const u8* fixedScalars;
  size_t pairs;
};

/** Writes x and y of the sum to `out`, 64 bytes; false for the identity. */
template <typename Curve>
bool sumOfMultiples(u8* out, const CycleTerms& terms);

}  // namespace monero
