// MLSAG (upstream `MLSAG_Ver` below `verRctMG` and `verRctMGSimple`; Noether, "Ring Confidential
// Transactions"). At each position of the ring, for every input
//
//   L = s·G + c·P        R = s·Hp(P) + c·I
//
// and for the row that proves the balance, whose D is the sum of the commitments at the position less
// the offsets and fee·H, L = s·G + c·D. The next challenge c hashes the message and all P, L, R, D.
// The positions of one ring follow one another; those of several proofs are computed side by side.
#include <vector>

#include "batch.h"
#include "lanes.h"
#include "multiply.h"
#include "old_signatures.h"
#include "tables.h"

namespace monero {

namespace {

/** A proof on its way around the ring. */
struct Walk {
  const Mlsag* proof;
  std::vector<Point> keyImages;
  /** Of all positions, input by input. */
  std::vector<Point> keys, hashedKeys;
  /** D of all positions, and their encodings. */
  std::vector<Point> differences;
  std::vector<ScalarBytes> encodedDifferences;
  Scalar challenge;
  bool ok;

  size_t sumsEach() const { return 2 * proof->inputs + 1; }
  bool isAt(size_t position) const { return ok && position < proof->ring; }
};

bool hasCanonicalScalars(const Mlsag& proof) {
  for (size_t i = 0; i < proof.ring * (proof.inputs + 1); i++) {
    if (!isCanonicalScalar(proof.ss + 32 * i)) return false;
  }
  return isCanonicalScalar(proof.cc);
}

bool decodeList(std::vector<Point>* points, const u8* bytes, size_t count, const VectorCode* code) {
  std::vector<const u8*> encoded(count);
  for (size_t i = 0; i < count; i++) encoded[i] = bytes + 32 * i;
  points->resize(count);
  return decodeAll(points->data(), encoded.data(), count, code);
}

void hashKeys(Walk* walk, const VectorCode* code) {
  const size_t count = walk->keys.size();
  std::vector<const u8*> keys(count);
  for (size_t i = 0; i < count; i++) keys[i] = walk->proof->keys + 32 * i;
  walk->hashedKeys.resize(count);
  hashAllToPoints(walk->hashedKeys.data(), keys.data(), count, code);
}

/** The offsets and fee·H. */
Point sumOfOffsets(const std::vector<Point>& offsets, u64 fee) {
  u8 scalar[32] = {};
  store64(scalar, fee);
  Point total = sumOfMultiples({nafTerm(scalar, baseTables().H, FIXED_WIDTH)});
  for (const Point& offset : offsets) total = sum(total, offset);
  return total;
}

bool prepareDifferences(Walk* walk, const VectorCode* code) {
  const Mlsag& proof = *walk->proof;
  std::vector<Point> offsets, commitments;
  if (!decodeList(&offsets, proof.offsets, proof.offsetCount, code) ||
      !decodeList(&commitments, proof.commitments, proof.ring * proof.inputs, code)) {
    return false;
  }
  const Point offset = sumOfOffsets(offsets, proof.fee);
  walk->differences.resize(proof.ring);
  walk->encodedDifferences.resize(proof.ring);
  const Point* next = commitments.data();
  for (Point& result : walk->differences) {
    result = difference(*next++, offset);
    for (size_t j = 1; j < proof.inputs; j++) result = sum(result, *next++);
  }
  encodeAll(walk->encodedDifferences.data(), walk->differences.data(), proof.ring);
  return true;
}

bool prepare(Walk* walk, const VectorCode* code) {
  const Mlsag& proof = *walk->proof;
  if (!hasCanonicalScalars(proof) ||
      !decodeList(&walk->keyImages, proof.keyImages, proof.inputs, code)) {
    return false;
  }
  for (const Point& keyImage : walk->keyImages) {
    if (isIdentity(keyImage)) return false;
  }
  if (!decodeList(&walk->keys, proof.keys, proof.ring * proof.inputs, code) ||
      !prepareDifferences(walk, code)) {
    return false;
  }
  hashKeys(walk, code);
  walk->challenge = scalarFromBytes(proof.cc);
  return true;
}

/** L and R of every input, then L of the last row. */
void appendSums(std::vector<PairSum>* sums, const Walk& walk, size_t position) {
  const size_t inputs = walk.proof->inputs;
  const u8* s = walk.proof->ss + 32 * (inputs + 1) * position;
  u8 challenge[32];
  scalarToBytes(challenge, walk.challenge);
  const auto append = [&](const Point* A, const Point* B, const u8* scalar) {
    PairSum sum = {A, B, {}, {}};
    std::memcpy(sum.s, scalar, 32);
    std::memcpy(sum.c, challenge, 32);
    sums->push_back(sum);
  };
  for (size_t j = 0; j < inputs; j++) {
    const size_t index = inputs * position + j;
    append(pointG(), &walk.keys[index], s + 32 * j);
    append(&walk.hashedKeys[index], &walk.keyImages[j], s + 32 * j);
  }
  append(pointG(), &walk.differences[position], s + 32 * inputs);
}

/** Computes the next challenge from the encoded sums. */
void step(Walk* walk, size_t position, const ScalarBytes* encoded) {
  const size_t inputs = walk->proof->inputs;
  Keccak hash;
  hash.add(walk->proof->message, 32);
  for (size_t j = 0; j < inputs; j++) {
    hash.add(walk->proof->keys + 32 * (inputs * position + j), 32)
        .add(encoded[2 * j].bytes, 32)
        .add(encoded[2 * j + 1].bytes, 32);
  }
  hash.add(walk->encodedDifferences[position].bytes, 32).add(encoded[2 * inputs].bytes, 32);
  walk->challenge = finishToScalar(hash);
  if (isZero(walk->challenge)) walk->ok = false;
}

}  // namespace

void verifyMlsags(const Mlsag* proofs, size_t count, u8* answers, const VectorCode* code) {
  std::vector<Walk> walks(count);
  size_t longest = 0;
  for (size_t i = 0; i < count; i++) {
    walks[i].proof = &proofs[i];
    walks[i].ok = prepare(&walks[i], code);
    if (walks[i].ok && proofs[i].ring > longest) longest = proofs[i].ring;
  }
  std::vector<PairSum> sums;
  std::vector<ScalarBytes> encoded;
  for (size_t position = 0; position < longest; position++) {
    sums.clear();
    for (const Walk& walk : walks) {
      if (walk.isAt(position)) appendSums(&sums, walk, position);
    }
    encoded.resize(sums.size());
    encodePairSums(encoded.data(), sums.data(), sums.size(), code);
    const ScalarBytes* next = encoded.data();
    for (Walk& walk : walks) {
      if (!walk.isAt(position)) continue;
      const ScalarBytes* own = next;
      next += walk.sumsEach();
      step(&walk, position, own);
    }
  }
  for (size_t i = 0; i < count; i++) {
    const bool holds = walks[i].ok && isEqual(walks[i].challenge, scalarFromBytes(proofs[i].cc));
    answers[i] = holds ? 1 : 0;
  }
}

}  // namespace monero
