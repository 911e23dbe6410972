// Derivations and spend keys of outputs, eight or more at a time; the last group is filled up with
// copies. See ownership.h.
#include "ifma.h"
#include "ifma_multiply.h"
#include "tables.h"

namespace monero {
namespace ifma {

namespace {

ALWAYS_INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/** Groups of eight that share the waiting of an exponentiation, and one inversion. */
constexpr int GROUPS = 3;
constexpr size_t ROUND = 8 * GROUPS;

/** One scalar for all lanes, in odd digits. */
struct Digits {
  int8_t value[NAF_LENGTH];
  int top;
};

/** 8·scalar·P in every lane. All lanes add the same multiple, so nothing is gathered. T is not made. */
NEVER_INLINE Point8 multiplyByEight(const Point8& p, const Digits& scalar) {
  Cached8 odd[8];
  Point8 twice, multiple = p;
  doubled<WithT::yes>(&twice, &p);
  const Cached8 step = toCached(twice);
  odd[0] = toCached(p);
  for (int i = 1; i < 8; i++) {
    add<WithT::yes>(&multiple, &multiple, &step, 0);
    odd[i] = toCached(multiple);
  }
  Point8 r = identity8();
  for (int i = scalar.top; i >= 0; i--) {
    const int digit = scalar.value[i];
    if (digit == 0) {
      doubled<WithT::no>(&r, &r);
      continue;
    }
    doubled<WithT::yes>(&r, &r);
    add<WithT::no>(&r, &r, &odd[(digit < 0 ? -digit : digit) >> 1], digit < 0 ? 0xff : 0);
  }
  for (int i = 0; i < 3; i++) doubled<WithT::no>(&r, &r);
  return r;
}

/** The encodings of GROUPS groups with one inversion. */
void encodeRound(u8 (*bytes)[32], const Point8 (&p)[GROUPS]) {
  static_assert(GROUPS == 3, "the products below");
  const Field8 first = p[0].Z * p[1].Z;
  Field8 inverse = invert(first * p[2].Z);
  encodeWithInverse(bytes + 16, p[2], inverse * first);
  inverse = inverse * p[2].Z;
  encodeWithInverse(bytes + 8, p[1], inverse * p[0].Z);
  encodeWithInverse(bytes, p[0], inverse * p[1].Z);
}

/** Decodes GROUPS groups; answers the lanes that are points. */
void decodeRound(Point8 (&points)[GROUPS], LaneMask (&valid)[GROUPS],
                 const u8* const (&encoded)[ROUND]) {
  Decoding decodings[GROUPS];
  Field8 powers[GROUPS];
  for (int g = 0; g < GROUPS; g++) {
    decodings[g] = startDecoding(encoded + 8 * g);
    powers[g] = decodings[g].root.uv7;
  }
  powerForRoot<GROUPS>(powers, powers);
  for (int g = 0; g < GROUPS; g++) valid[g] = finishDecoding(&points[g], decodings[g], powers[g]);
}

/** Replaces lanes that hold no point by the identity, so that the product of all Z is not 0. */
void clearInvalid(Point8* p, LaneMask valid) {
  const Point8 identity = identity8();
  p->X = select(valid, identity.X, p->X);
  p->Y = select(valid, identity.Y, p->Y);
  p->Z = select(valid, identity.Z, p->Z);
  p->T = select(valid, identity.T, p->T);
}

/** Hashes of eight padded blocks. */
void hashBlocks(u8 (*hashes)[32], const u8 (*blocks)[KECCAK_RATE]) {
  Keccak8 hash;
  start(&hash);
  const u8* parts[8];
  for (int lane = 0; lane < 8; lane++) parts[lane] = blocks[lane];
  absorb(&hash, parts, KECCAK_RATE / 8);
  alignas(64) u64 words[8];
  for (int i = 0; i < 4; i++) {
    _mm512_store_si512(words, hash.state[i]);
    for (int lane = 0; lane < 8; lane++) store64(hashes[lane] + 8 * i, words[lane]);
  }
}

/** Hs(derivation ‖ index)·G in every lane. */
Point8 shiftOf(const Candidate* const* candidates) {
  u8 blocks[8][KECCAK_RATE], hashes[8][32];
  alignas(64) u64 words[4][8];
  for (int lane = 0; lane < 8; lane++) scalarBlock(blocks[lane], *candidates[lane]);
  hashBlocks(hashes, blocks);
  for (int lane = 0; lane < 8; lane++) {
    u64 biased[4];
    scalarToBytes(hashes[lane], scalarFromBytes(hashes[lane]));
    addBias(biased, hashes[lane], BYTE_BIAS);
    for (int i = 0; i < 4; i++) words[i][lane] = biased[i];
  }
  DigitWords digits;
  for (int i = 0; i < 4; i++) digits.word[i] = _mm512_load_si512(words[i]);
  constexpr u64 QUARTER_WORDS = 15 * BASE_MULTIPLES;
  constexpr int QUARTER_BYTES = 8;
  Point8 r = identity8();
  for (int position = QUARTER_BYTES - 1; position >= 0; position--) {
    if (position != QUARTER_BYTES - 1) {
      timesSixteen(&r);
      timesSixteen(&r);
    }
    for (int quarter = 0; quarter < BASE_QUARTERS; quarter++) {
      addFromAffine(&r, baseMultiples(), all(QUARTER_WORDS * static_cast<u64>(quarter)),
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
  Point8 points[GROUPS];
  LaneMask valid[GROUPS];
  decodeRound(points, valid, encoded);
  for (int g = 0; g < GROUPS; g++) {
    clearInvalid(&points[g], valid[g]);
    // A group of copies only would cost as much as one of candidates.
    if (static_cast<size_t>(8 * g) >= count) continue;
    const Cached8 shift = toCached(shiftOf(round + 8 * g));
    add<WithT::no>(&points[g], &points[g], &shift, 0xff);
  }
  u8 bytes[ROUND][32];
  encodeRound(bytes, points);
  for (size_t i = 0; i < count; i++) {
    answers[places[i]] = (valid[i / 8] >> (i % 8)) & 1;
    std::memcpy(keys[places[i]].bytes, bytes[i], 32);
  }
}

/** Which of the first eight candidates, or fewer, have the view tag of their derivation or none. */
LaneMask fittingTags(const Candidate* candidates, size_t count) {
  u8 blocks[8][KECCAK_RATE], hashes[8][32];
  LaneMask untagged = 0, fitting = 0;
  for (size_t lane = 0; lane < 8; lane++) {
    const Candidate& candidate = candidates[smaller(lane, count - 1)];
    viewTagBlock(blocks[lane], candidate);
    untagged |= static_cast<LaneMask>((candidate.viewTag == NO_VIEW_TAG ? 1 : 0) << lane);
  }
  if (untagged != 0xff) hashBlocks(hashes, blocks);
  for (size_t lane = 0; lane < count && lane < 8; lane++) {
    const bool fits = ((untagged >> lane) & 1) != 0 || hashes[lane][0] == candidates[lane].viewTag;
    fitting |= static_cast<LaneMask>((fits ? 1 : 0) << lane);
  }
  return fitting;
}

}  // namespace

void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret) {
  Digits digits;
  digits.top = nonAdjacentForm(digits.value, secret, 5);
  for (size_t first = 0; first < count; first += ROUND) {
    const u8* encoded[ROUND];
    for (size_t i = 0; i < ROUND; i++) encoded[i] = points + 32 * smaller(first + i, count - 1);
    Point8 round[GROUPS];
    LaneMask valid[GROUPS];
    decodeRound(round, valid, encoded);
    for (int g = 0; g < GROUPS; g++) {
      clearInvalid(&round[g], valid[g]);
      if (first + 8 * static_cast<size_t>(g) >= count) continue;
      round[g] = multiplyByEight(round[g], digits);
    }
    u8 bytes[ROUND][32];
    encodeRound(bytes, round);
    const size_t inRound = smaller(ROUND, count - first);
    for (size_t i = 0; i < inRound; i++) {
      answers[first + i] = (valid[i / 8] >> (i % 8)) & 1;
      std::memcpy(derivations[first + i].bytes, bytes[i], 32);
    }
  }
}

void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count) {
  size_t places[ROUND];
  size_t pending = 0;
  for (size_t first = 0; first < count; first += 8) {
    const size_t inGroup = smaller(8, count - first);
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

}  // namespace ifma
}  // namespace monero
