// Derivations and spend keys of outputs, several groups of lanes at a time; the last group is filled up with
// copies. See ownership.h.
#include "lanes.h"
#include "lanes_multiply.h"
#include "tables.h"

namespace monero {
namespace MONERO_PATH {

namespace {

ALWAYS_INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/** Groups that share the waiting of an exponentiation, and one inversion. */
constexpr int GROUPS = 3;
constexpr size_t ROUND = LANES * GROUPS;

/** 8·scalar·P in every lane. T is not made. */
Points multiplyByEight(const Points& p, const CommonDigits& scalar) {
  Points r = multiplyByCommon(p, scalar);
  for (int i = 0; i < 3; i++) doubled<WithT::no>(&r, &r);
  return r;
}

/** The encodings of GROUPS groups with one inversion. */
void encodeRound(u8 (*bytes)[32], const Points (&p)[GROUPS]) {
  static_assert(GROUPS == 3, "the products below");
  const Fields first = p[0].Z * p[1].Z;
  Fields inverse = invert(first * p[2].Z);
  encodeWithInverse(bytes + 2 * LANES, p[2], inverse * first);
  inverse = inverse * p[2].Z;
  encodeWithInverse(bytes + LANES, p[1], inverse * p[0].Z);
  encodeWithInverse(bytes, p[0], inverse * p[1].Z);
}

/** Decodes GROUPS groups; answers the lanes that are points. */
void decodeRound(Points (&points)[GROUPS], LaneMask (&valid)[GROUPS],
                 const u8* const (&encoded)[ROUND]) {
  Decoding decodings[GROUPS];
  Fields powers[GROUPS];
  for (int g = 0; g < GROUPS; g++) {
    decodings[g] = startDecoding(encoded + LANES * g);
    powers[g] = decodings[g].root.uv7;
  }
  powerForRoot<GROUPS>(powers, powers);
  for (int g = 0; g < GROUPS; g++) valid[g] = finishDecoding(&points[g], decodings[g], powers[g]);
}

/** Replaces lanes that hold no point by the identity, so that the product of all Z is not 0. */
void clearInvalid(Points* p, LaneMask valid) {
  const Points identity = identities();
  p->X = select(valid, identity.X, p->X);
  p->Y = select(valid, identity.Y, p->Y);
  p->Z = select(valid, identity.Z, p->Z);
  p->T = select(valid, identity.T, p->T);
}

/** Hashes of one padded block a lane. */
void hashBlocks(u8 (*hashes)[32], const u8 (*blocks)[KECCAK_RATE]) {
  LaneKeccak hash;
  start(&hash);
  const u8* parts[LANES];
  for (int lane = 0; lane < LANES; lane++) parts[lane] = blocks[lane];
  absorb(&hash, parts, KECCAK_RATE / 8);
  storeHashes(hashes, hash);
}

/** Hs(derivation ‖ index)·G in every lane. */
Points shiftOf(const Candidate* const* candidates) {
  u8 blocks[LANES][KECCAK_RATE], hashes[LANES][32];
  for (int lane = 0; lane < LANES; lane++) scalarBlock(blocks[lane], *candidates[lane]);
  hashBlocks(hashes, blocks);
  for (u8* hash : hashes) scalarToBytes(hash, scalarFromBytes(hash));
  const DigitWords digits = digitsOf([&](int lane) { return hashes[lane]; }, BYTE_BIAS);
  constexpr int QUARTER_BYTES = 8;
  Points r = identities();
  for (int position = QUARTER_BYTES - 1; position >= 0; position--) {
    if (position != QUARTER_BYTES - 1) {
      timesSixteen(&r);
      timesSixteen(&r);
    }
    for (int quarter = 0; quarter < BASE_QUARTERS; quarter++) {
      const Affine* multiples = baseMultiples() + quarter * BASE_MULTIPLES;
      addFromAffine(&r, evenPlaces(multiples->plus.limb, 0),
                    byteDigit(digits, QUARTER_BYTES * quarter + position));
    }
  }
  return r;
}

/** Spend keys of up to ROUND candidates whose view tags fit. */
void spendKeysOfRound(ScalarBytes* keys, u8* answers, const Candidate* candidates,
                      const size_t* places, size_t count) {
  const Candidate* round[ROUND];
  const u8* encoded[ROUND];
  for (size_t i = 0; i < ROUND; i++) {
    round[i] = &candidates[places[smaller(i, count - 1)]];
    encoded[i] = round[i]->key;
  }
  Points points[GROUPS];
  LaneMask valid[GROUPS];
  decodeRound(points, valid, encoded);
  for (int g = 0; g < GROUPS; g++) {
    clearInvalid(&points[g], valid[g]);
    // A group of copies only would cost as much as one of candidates.
    if (static_cast<size_t>(LANES * g) >= count) continue;
    const CachedPoints shift = toCached(shiftOf(round + LANES * g));
    subtract<WithT::no>(&points[g], &points[g], &shift);
  }
  u8 bytes[ROUND][32];
  encodeRound(bytes, points);
  for (size_t i = 0; i < count; i++) {
    answers[places[i]] = (valid[i / LANES] >> (i % LANES)) & 1;
    std::memcpy(keys[places[i]].bytes, bytes[i], 32);
  }
}

/** Which of the first LANES candidates, or fewer, have the view tag of their derivation or none. */
LaneMask fittingTags(const Candidate* candidates, size_t count) {
  u8 blocks[LANES][KECCAK_RATE], hashes[LANES][32];
  LaneMask untagged = 0, fitting = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    const Candidate& candidate = candidates[smaller(lane, count - 1)];
    viewTagBlock(blocks[lane], candidate);
    untagged |= static_cast<LaneMask>((candidate.viewTag == NO_VIEW_TAG ? 1 : 0) << lane);
  }
  if (untagged != ALL_LANES) hashBlocks(hashes, blocks);
  for (size_t lane = 0; lane < count && lane < LANES; lane++) {
    const bool fits = ((untagged >> lane) & 1) != 0 || hashes[lane][0] == candidates[lane].viewTag;
    fitting |= static_cast<LaneMask>((fits ? 1 : 0) << lane);
  }
  return fitting;
}

}  // namespace

void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret) {
  const CommonDigits digits = commonDigits(secret);
  for (size_t first = 0; first < count; first += ROUND) {
    const u8* encoded[ROUND];
    for (size_t i = 0; i < ROUND; i++) encoded[i] = points + 32 * smaller(first + i, count - 1);
    Points round[GROUPS];
    LaneMask valid[GROUPS];
    decodeRound(round, valid, encoded);
    for (int g = 0; g < GROUPS; g++) {
      clearInvalid(&round[g], valid[g]);
      if (first + LANES * static_cast<size_t>(g) >= count) continue;
      round[g] = multiplyByEight(round[g], digits);
    }
    u8 bytes[ROUND][32];
    encodeRound(bytes, round);
    const size_t inRound = smaller(ROUND, count - first);
    for (size_t i = 0; i < inRound; i++) {
      answers[first + i] = (valid[i / LANES] >> (i % LANES)) & 1;
      std::memcpy(derivations[first + i].bytes, bytes[i], 32);
    }
  }
}

void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count) {
  size_t places[ROUND];
  size_t pending = 0;
  for (size_t first = 0; first < count; first += LANES) {
    const size_t inGroup = smaller(LANES, count - first);
    const LaneMask fitting = fittingTags(candidates + first, inGroup);
    for (size_t lane = 0; lane < inGroup; lane++) {
      answers[first + lane] = 0;
      if (((fitting >> lane) & 1) == 0) continue;
      places[pending++] = first + lane;
      if (pending < ROUND) continue;
      spendKeysOfRound(keys, answers, candidates, places, pending);
      pending = 0;
    }
  }
  if (pending > 0) spendKeysOfRound(keys, answers, candidates, places, pending);
}

}  // namespace MONERO_PATH
}  // namespace monero
