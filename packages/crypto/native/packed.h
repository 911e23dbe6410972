// Proofs and other items as src/native/pack*.ts and src/ownership pack them. Every length in the bytes is checked.
#pragma once

#include <vector>

#include "bulletproof.h"
#include "bulletproof_plus.h"
#include "clsag.h"
#include "old_signatures.h"
#include "ownership.h"

namespace monero {

/** Takes fields from packed bytes; `ok` turns false instead of reading past the end. */
struct Reader {
  Bytes bytes;
  size_t offset = 0;
  bool ok = true;

  bool atEnd() const { return offset == bytes.size; }

  /** `count` elements of 32 bytes. */
  const u8* elements(size_t count) {
    if (!ok || count > (bytes.size - offset) / 32) {
      ok = false;
      return nullptr;
    }
    const u8* result = bytes.data + offset;
    offset += 32 * count;
    return result;
  }

  size_t number() {
    if (!ok || bytes.size - offset < 4) {
      ok = false;
      return 0;
    }
    const u8* b = bytes.data + offset;
    offset += 4;
    return b[0] | b[1] << 8 | b[2] << 16 | static_cast<size_t>(b[3]) << 24;
  }
};

inline Clsag readClsag(Reader* reader) {
  Clsag proof;
  proof.ring = reader->number();
  if (proof.ring == 0) reader->ok = false;
  proof.message = reader->elements(1);
  proof.pseudoOut = reader->elements(1);
  proof.keyImage = reader->elements(1);
  proof.D = reader->elements(1);
  proof.c1 = reader->elements(1);
  proof.keys = reader->elements(proof.ring);
  proof.commitments = reader->elements(proof.ring);
  proof.s = reader->elements(proof.ring);
  return proof;
}

inline RangeProof readRangeProof(Reader* reader) {
  RangeProof proof;
  proof.outputs = reader->number();
  proof.rounds = reader->number();
  if (!hasValidShape(proof.outputs, proof.rounds)) reader->ok = false;
  proof.A = reader->elements(1);
  proof.A1 = reader->elements(1);
  proof.B = reader->elements(1);
  proof.r1 = reader->elements(1);
  proof.s1 = reader->elements(1);
  proof.d1 = reader->elements(1);
  proof.commitments = reader->elements(proof.outputs);
  proof.L = reader->elements(proof.rounds);
  proof.R = reader->elements(proof.rounds);
  return proof;
}

inline RingSignature readRingSignature(Reader* reader) {
  RingSignature proof;
  proof.ring = reader->number();
  proof.message = reader->elements(1);
  proof.keyImage = reader->elements(1);
  proof.keys = reader->elements(proof.ring);
  proof.signatures = reader->elements(2 * proof.ring);
  return proof;
}

inline Mlsag readMlsag(Reader* reader) {
  Mlsag proof;
  proof.ring = reader->number();
  proof.inputs = reader->number();
  proof.offsetCount = reader->number();
  if (proof.ring < 2 || proof.inputs < 1) reader->ok = false;
  proof.fee = reader->number();
  proof.fee |= static_cast<u64>(reader->number()) << 32;
  proof.message = reader->elements(1);
  proof.cc = reader->elements(1);
  proof.keyImages = reader->elements(proof.inputs);
  proof.offsets = reader->elements(proof.offsetCount);
  // The numbers have 32 bits each, so the products have 64.
  proof.keys = reader->elements(proof.ring * proof.inputs);
  proof.commitments = reader->elements(proof.ring * proof.inputs);
  proof.ss = reader->elements(proof.ring * (proof.inputs + 1));
  return proof;
}

inline Borromean readBorromean(Reader* reader) {
  Borromean proof;
  proof.commitment = reader->elements(1);
  proof.ee = reader->elements(1);
  proof.s0 = reader->elements(BORROMEAN_BITS);
  proof.s1 = reader->elements(BORROMEAN_BITS);
  proof.Ci = reader->elements(BORROMEAN_BITS);
  return proof;
}

inline OldRangeProof readOldRangeProof(Reader* reader) {
  OldRangeProof proof;
  proof.outputs = reader->number();
  proof.rounds = reader->number();
  if (!hasValidShape(proof.outputs, proof.rounds)) reader->ok = false;
  for (const u8** field : {&proof.A, &proof.S, &proof.T1, &proof.T2, &proof.taux, &proof.mu,
                           &proof.a, &proof.b, &proof.t}) {
    *field = reader->elements(1);
  }
  proof.commitments = reader->elements(proof.outputs);
  proof.L = reader->elements(proof.rounds);
  proof.R = reader->elements(proof.rounds);
  return proof;
}

inline Candidate readCandidate(Reader* reader) {
  Candidate candidate;
  candidate.index = static_cast<uint32_t>(reader->number());
  candidate.viewTag = static_cast<uint32_t>(reader->number());
  if (candidate.viewTag > NO_VIEW_TAG) reader->ok = false;
  candidate.derivation = reader->elements(1);
  candidate.key = reader->elements(1);
  return candidate;
}

inline EncodedSum readSum(Reader* reader) {
  EncodedSum sum;
  for (const u8** field : {&sum.a, &sum.A, &sum.b, &sum.B}) *field = reader->elements(1);
  return sum;
}

/** Reads as many proofs as the bytes hold. */
template <typename Proof>
std::vector<Proof> readAll(Reader* reader, Proof (*read)(Reader*)) {
  std::vector<Proof> proofs;
  while (reader->ok && !reader->atEnd()) proofs.push_back(read(reader));
  return proofs;
}

}  // namespace monero
