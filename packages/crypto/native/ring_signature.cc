// Ring signatures of version 1 transactions (upstream `check_ring_signature`; van Saberhagen,
// "CryptoNote v 2.0", section 4.4). For each ring member
//
//   a = r·G + c·P        b = r·Hp(P) + c·I
//
// and the sum of all c is the hash of the message and of all a and b.
#include <vector>

#include "batch.h"
#include "lanes.h"
#include "old_signatures.h"

namespace monero {

namespace {

/** Points of one signature; the sums point into it. */
struct Prepared {
  Point keyImage;
  std::vector<Point> keys, hashedKeys;
  bool ok;
};

std::vector<const u8*> elements(const u8* bytes, size_t count) {
  std::vector<const u8*> pointers(count);
  for (size_t i = 0; i < count; i++) pointers[i] = bytes + 32 * i;
  return pointers;
}

bool prepare(Prepared* p, const RingSignature& proof, const VectorCode* code) {
  for (size_t i = 0; i < 2 * proof.ring; i++) {
    if (!isCanonicalScalar(proof.signatures + 32 * i)) return false;
  }
  const std::vector<const u8*> keys = elements(proof.keys, proof.ring);
  p->keys.resize(proof.ring);
  p->hashedKeys.resize(proof.ring);
  if (!decode(&p->keyImage, proof.keyImage) ||
      !decodeAll(p->keys.data(), keys.data(), proof.ring, code)) {
    return false;
  }
  hashAllToPoints(p->hashedKeys.data(), keys.data(), proof.ring, code);
  return true;
}

void appendSums(std::vector<PairSum>* sums, const Prepared& p, const RingSignature& proof) {
  for (size_t i = 0; i < proof.ring; i++) {
    const u8* c = proof.signatures + 64 * i;
    PairSum a = {pointG(), &p.keys[i], {}, {}};
    std::memcpy(a.s, c + 32, 32);
    std::memcpy(a.c, c, 32);
    PairSum b = a;
    b.A = &p.hashedKeys[i];
    b.B = &p.keyImage;
    sums->push_back(a);
    sums->push_back(b);
  }
}

/** `encoded`: a and b of every member. */
bool isClosed(const RingSignature& proof, const ScalarBytes* encoded) {
  Keccak hash;
  hash.add(proof.message, 32);
  Scalar total = SCALAR_ZERO;
  for (size_t i = 0; i < proof.ring; i++) {
    hash.add(encoded[2 * i].bytes, 32).add(encoded[2 * i + 1].bytes, 32);
    total = total + scalarFromBytes(proof.signatures + 64 * i);
  }
  return isEqual(total, finishToScalar(hash));
}

}  // namespace

void verifyRingSignatures(const RingSignature* proofs, size_t count, u8* answers,
                          const VectorCode* code) {
  std::vector<Prepared> prepared(count);
  std::vector<PairSum> sums;
  for (size_t i = 0; i < count; i++) {
    prepared[i].ok = prepare(&prepared[i], proofs[i], code);
    if (prepared[i].ok) appendSums(&sums, prepared[i], proofs[i]);
  }
  std::vector<ScalarBytes> encoded(sums.size());
  encodePairSums(encoded.data(), sums.data(), sums.size(), code);
  const ScalarBytes* next = encoded.data();
  for (size_t i = 0; i < count; i++) {
    answers[i] = prepared[i].ok && isClosed(proofs[i], next) ? 1 : 0;
    if (prepared[i].ok) next += 2 * proofs[i].ring;
  }
}

}  // namespace monero
