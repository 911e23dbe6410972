// CLSAG signatures as packed by src/native/pack.ts.
#pragma once

#include "bytes.h"
#include "cpu.h"

namespace monero {

/** A signature as it lies in the packed bytes; 32 bytes each, keys, commitments and s `ring` times. */
struct Clsag {
  size_t ring;
  const u8* message;
  const u8* pseudoOut;
  const u8* keyImage;
  const u8* D;
  const u8* c1;
  const u8* keys;
  const u8* commitments;
  const u8* s;
};

/** One signature, portable code. The bytes may be anything; `ring` is at least 1. */
bool verifyClsag(const Clsag& proof);

/** Writes 1 or 0 for each signature. */
void verifyClsagBatch(const Clsag* proofs, size_t count, u8* answers, const VectorCode* code);

}  // namespace monero
