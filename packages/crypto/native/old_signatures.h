// The proofs of old transactions, except Bulletproofs, as packed by src/native/pack-old-proofs.ts.
#pragma once

#include "bytes.h"
#include "cpu.h"

namespace monero {

/** A ring signature of a version 1 transaction: keys of 32 bytes, signatures c ‖ r of 64, `ring` times. */
struct RingSignature {
  size_t ring;
  const u8* message;
  const u8* keyImage;
  const u8* keys;
  const u8* signatures;
};

/**
 * An MLSAG: for every position of the ring, the keys and commitments of all inputs, and a scalar for
 * each input and one more. `ring` is at least 2, `inputs` at least 1.
 */
struct Mlsag {
  size_t ring, inputs, offsetCount;
  u64 fee;
  const u8* message;
  const u8* cc;
  const u8* keyImages;
  const u8* offsets;
  const u8* keys;
  const u8* commitments;
  const u8* ss;
};

/** A Borromean range proof; the lists have BORROMEAN_BITS elements. */
constexpr size_t BORROMEAN_BITS = 64;
struct Borromean {
  const u8* commitment;
  const u8* ee;
  const u8* s0;
  const u8* s1;
  const u8* Ci;
};

/** Each writes 1 or 0 for each proof. The bytes may be anything. */
void verifyRingSignatures(const RingSignature* proofs, size_t count, u8* answers,
                          const VectorCode* code);
void verifyMlsags(const Mlsag* proofs, size_t count, u8* answers, const VectorCode* code);
void verifyBorromeans(const Borromean* proofs, size_t count, u8* answers, const VectorCode* code);

}  // namespace monero
