// The commitment to a RandomX hash. Independent of librandomx, whose versions before 1.2 have none.
#pragma once

#include <cstdint>
#include <string>

namespace monero {

/** Writes the 32 bytes of Blake2b-256 of the blob and the hash of 32 bytes. `out` may be `hash`. */
void commit(const std::string& blob, const uint8_t* hash, uint8_t* out);

}  // namespace monero
