// The statement of Bulletproofs and Bulletproofs+: 1 to 16 amounts have 64 bits each.
#pragma once

#include "bytes.h"

namespace monero {

constexpr size_t RANGE_BITS = 64;
/** log2(64): the rounds of a proof over one amount. */
constexpr size_t ROUNDS_FOR_ONE = 6;
constexpr size_t MAX_OUTPUTS = 16;
constexpr size_t MAX_ROUNDS = ROUNDS_FOR_ONE + 4;

/** True if the proof covers 1 to 16 outputs padded to the smallest power of two. */
inline bool hasValidShape(size_t outputs, size_t rounds) {
  if (outputs < 1 || outputs > MAX_OUTPUTS) return false;
  size_t wanted = ROUNDS_FOR_ONE;
  while ((size_t{1} << (wanted - ROUNDS_FOR_ONE)) < outputs) wanted++;
  return rounds == wanted;
}

}  // namespace monero
