// The hashes of a CLSAG (upstream `verRctCLSAGSimple`).
#pragma once

#include "clsag.h"
#include "group.h"

namespace monero {

namespace {

/** A hash that has absorbed the domain name, zero-padded to 32 bytes, and the ring. */
inline Keccak clsagHash(const char (&domain)[12], const Clsag& proof) {
  u8 padded[32] = {};
  std::memcpy(padded, domain, sizeof domain - 1);
  Keccak hash;
  hash.add(padded, 32).add(proof.keys, 32 * proof.ring).add(proof.commitments, 32 * proof.ring);
  return hash;
}

/** muP (domain CLSAG_agg_0) or muC (CLSAG_agg_1); the order of the fields is that of upstream's code. */
inline Scalar aggregationCoefficient(const char (&domain)[12], const Clsag& proof) {
  Keccak hash = clsagHash(domain, proof);
  hash.add(proof.keyImage, 32).add(proof.D, 32).add(proof.pseudoOut, 32);
  return finishToScalar(hash);
}

/** The common beginning of every round's hash. */
inline Keccak roundPrefix(const Clsag& proof) {
  Keccak hash = clsagHash("CLSAG_round", proof);
  hash.add(proof.pseudoOut, 32).add(proof.message, 32);
  return hash;
}

/** All responses and c1 are below l. */
inline bool hasCanonicalScalars(const Clsag& proof) {
  for (size_t i = 0; i < proof.ring; i++) {
    if (!isCanonicalScalar(proof.s + 32 * i)) return false;
  }
  return isCanonicalScalar(proof.c1);
}

}  // namespace
}  // namespace monero
