// Ed25519, as proofs of authorization have its points.
#pragma once

#include <cstddef>
#include <cstdint>

namespace monero {

/** Writes x and y of 32 bytes to `out`, 64 bytes; false unless they are a point of the prime-order subgroup. */
bool decodePrimePoint(uint8_t* out, const uint8_t* bytes);

/**
 * Writes x and y of the sum of multiples to `out`, 64 bytes. Points are x and y, 32 bytes each, below the prime; scalars have 32
 * bytes and are below the order of the group.
 */
void sumOfEdMultiples(uint8_t* out, const uint8_t* points, const uint8_t* scalars, size_t count);

}  // namespace monero
