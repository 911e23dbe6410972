// Bulletproof range proofs as packed by src/native/pack-old-proofs.ts.
#pragma once

#include "cpu.h"
#include "range_proof.h"

namespace monero {

/** A proof as it lies in the packed bytes; 32 bytes each, commitments `outputs` times, L and R `rounds` times. */
struct OldRangeProof {
  size_t outputs;
  size_t rounds;
  const u8* A;
  const u8* S;
  const u8* T1;
  const u8* T2;
  const u8* taux;
  const u8* mu;
  const u8* a;
  const u8* b;
  const u8* t;
  const u8* commitments;
  const u8* L;
  const u8* R;
};

/**
 * True if every proof of the batch holds. `weights`: 64 fresh secret random bytes per proof, 32 for
 * each of its two equations. Allocates; the shapes must be valid.
 */
bool verifyBulletproof(const OldRangeProof* proofs, size_t count, const u8* weights,
                       const VectorCode* code);

}  // namespace monero
