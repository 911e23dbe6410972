// Bulletproof+ range proofs as packed by src/native/pack.ts.
#pragma once

#include "cpu.h"
#include "range_proof.h"

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

/**
 * True if every proof of the batch holds. `weights`: 32 fresh secret random bytes per proof.
 * Allocates; the shapes must be valid.
 */
bool verifyBulletproofPlus(const RangeProof* proofs, size_t count, const u8* weights,
                           const VectorCode* code);

}  // namespace monero
