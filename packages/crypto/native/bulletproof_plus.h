// Bulletproof+ range proofs as packed by src/native/pack.ts.
#pragma once

#include "bytes.h"

namespace monero {

/** A proof as it lies in the packed bytes; 32 bytes each, commitments `outputs` times, L and R `rounds` times. */
struct RangeProof {
  size_t outputs;
  size_t rounds;
  const u8* A;
  const u8* A1;
  const u8* B;
  const u8* r1;
  const u8* s1;
  const u8* d1;
  const u8* commitments;
  const u8* L;
  const u8* R;
};

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

/**
 * True if every proof of the batch holds. `weights`: 32 fresh secret random bytes a proof.
 * Allocates; the shapes must be valid.
 */
bool verifyBulletproofPlus(const RangeProof* proofs, size_t count, const u8* weights, bool useIfma);

}  // namespace monero
