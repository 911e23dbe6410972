// CLSAG signatures over rings of one size in lockstep; see clsag.cc for the equations.
//
// The rounds of one signature follow one another, but signatures are independent, and so is all
// work on ring members that does not need the challenge. `slots` is the number of signatures worked
// on together, LANES, a half, a quarter or an eighth of it; fewer signatures are filled up with copies
// of the last.
//
//   all        lane = slot. L and R are computed one after the other.
//   a half     The lower half of the lanes compute L and the upper half R of their slots.
//   a quarter  The same, and every scalar is cut into two pieces of 128 bits: the upper half of the
//              lanes multiplies 2^128·P by the high pieces. Half the doublings, which all lanes share,
//              are left.
//   an eighth  Four pieces of 64 bits, in eight lanes.
//
// Ring members are prepared for LANES/slots rounds together: lane = (round mod LANES/slots)·slots + slot.
#include <stdlib.h>

#include "clsag_hash.h"
#include "lanes.h"
#include "lanes_multiply.h"
#include "tables.h"

namespace monero {
namespace MONERO_PATH {

namespace {

constexpr int MAX_PIECES = LANES / 2;

/** Tables of the multiples P·2^(piece·256/pieces); one array, so that lanes can mix them. */
struct Tables {
  LaneTable key[MAX_PIECES], commitment[MAX_PIECES], hashedKey[MAX_PIECES];
  /** Of W = muP·I + muC·8D; lane = slot. */
  LaneTable W[MAX_PIECES];

  const u64* start() const { return key[0].place(0); }
};

/** The state of the signature in a slot. */
struct Slot {
  const Clsag* proof;
  bool refused, open;
  Scalar muP, muC, challenge;
  /** Biased digits of s (for G in bytes), s, c, c·muP and c·muC of the current round. */
  u64 sBytes[4], s[4], c[4], cP[4], cC[4];
};

struct Work {
  Tables tables;
  int slots, pieces;
  size_t ring;
  Slot slot[LANES];
  /** The round hash after all that does not change; lane mod slots = slot. */
  LaneKeccak prefix;
  CachedPoints pseudoOut;

  int slotOf(int lane) const { return lane & (slots - 1); }
  int roundsPerGroup() const { return LANES / slots; }
  int positions() const { return NIBBLES / pieces; }
};

/** The pointer `field` of the signature of each lane's slot. */
void pointersOf(const u8* pointers[LANES], const Work& work, const u8* Clsag::*field) {
  for (int lane = 0; lane < LANES; lane++)
    pointers[lane] = work.slot[work.slotOf(lane)].proof->*field;
}

void refuse(Work* work, LaneMask lanes) {
  for (int lane = 0; lane < LANES; lane++) {
    if ((lanes >> lane) & 1) work->slot[work->slotOf(lane)].refused = true;
  }
}

/** Absorbs a field of all signatures, 32 bytes each element. */
void absorbField(LaneKeccak* hash, const Work& work, const u8* Clsag::*field, size_t elements) {
  const u8* pointers[LANES];
  pointersOf(pointers, work, field);
  absorb(hash, pointers, 4 * elements);
}

void startClsagHash(LaneKeccak* hash, const Work& work, const char (&domain)[12]) {
  u8 padded[32] = {};
  std::memcpy(padded, domain, sizeof domain - 1);
  const u8* pointers[LANES];
  for (const u8*& pointer : pointers) pointer = padded;
  start(hash);
  absorb(hash, pointers, 4);
  absorbField(hash, work, &Clsag::keys, work.ring);
  absorbField(hash, work, &Clsag::commitments, work.ring);
}

/** muP or muC of every slot. */
void aggregate(Work* work, const char (&domain)[12], Scalar Slot::*result) {
  LaneKeccak hash;
  startClsagHash(&hash, *work, domain);
  absorbField(&hash, *work, &Clsag::keyImage, 1);
  absorbField(&hash, *work, &Clsag::D, 1);
  absorbField(&hash, *work, &Clsag::pseudoOut, 1);
  u8 hashes[LANES][32];
  finish(&hash, hashes);
  for (int s = 0; s < work->slots; s++) work->slot[s].*result = scalarFromBytes(hashes[s]);
}

void hashStatements(Work* work) {
  aggregate(work, "CLSAG_agg_0", &Slot::muP);
  aggregate(work, "CLSAG_agg_1", &Slot::muC);
  startClsagHash(&work->prefix, *work, "CLSAG_round");
  absorbField(&work->prefix, *work, &Clsag::pseudoOut, 1);
  absorbField(&work->prefix, *work, &Clsag::message, 1);
}

/** Fills the tables of all pieces: P, P·2^(256/pieces), … */
void fillPieces(LaneTable* tables, Points p, const Work& work) {
  for (int piece = 0; piece < work.pieces; piece++) {
    if (piece > 0) {
      for (int i = 0; i < work.positions(); i++) timesSixteen(&p);
    }
    fillTable(&tables[piece], p);
  }
}

/**
 * The tables of W, from muP·I and muC·8D; l·I shows whether I has torsion. These are three
 * multiplications per slot, packed into as few groups of lanes as possible.
 */
void prepareKeyImages(Work* work, const Points& keyImage8, const Points& D8) {
  Point keyImages[LANES], Ds[LANES], results[3 * LANES];
  Point *keyImagePointers[LANES], *DPointers[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    keyImagePointers[lane] = &keyImages[lane];
    DPointers[lane] = &Ds[lane];
  }
  scatterPoints(keyImagePointers, keyImage8);
  scatterPoints(DPointers, D8);

  u8 scalars[3 * LANES][32];
  const int jobs = 3 * work->slots;
  for (int s = 0; s < work->slots; s++) {
    std::memcpy(scalars[3 * s], ORDER_BYTES, 32);
    scalarToBytes(scalars[3 * s + 1], work->slot[s].muP);
    scalarToBytes(scalars[3 * s + 2], work->slot[s].muC);
  }
  for (int first = 0; first < jobs; first += LANES) {
    const Point* group[LANES];
    Point* targets[LANES];
    const u8* groupScalars[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      const int job = first + lane < jobs ? first + lane : jobs - 1;
      group[lane] = job % 3 == 2 ? &Ds[job / 3] : &keyImages[job / 3];
      groupScalars[lane] = scalars[job];
      targets[lane] = &results[job];
    }
    scatterPoints(targets, multiply(gatherPoints(group), groupScalars));
  }

  Point W[LANES];
  const Point* lanes[LANES];
  for (int s = 0; s < work->slots; s++) {
    if (!isIdentity(results[3 * s])) work->slot[s].open = true;
    W[s] = sum(results[3 * s + 1], results[3 * s + 2]);
  }
  for (int lane = 0; lane < LANES; lane++) lanes[lane] = &W[work->slotOf(lane)];
  fillPieces(work->tables.W, gatherPoints(lanes), *work);
}

/** All that precedes the rounds. */
void prepareSignatures(Work* work) {
  for (int s = 0; s < work->slots; s++) {
    Slot& slot = work->slot[s];
    slot.refused = !hasCanonicalScalars(*slot.proof);
    slot.open = false;
    slot.challenge = scalarFromBytes(slot.proof->c1);
  }
  constexpr const u8* Clsag::*FIELDS[3] = {&Clsag::pseudoOut, &Clsag::keyImage, &Clsag::D};
  Decoding decodings[3];
  Fields powers[3];
  Points points[3];
  for (int i = 0; i < 3; i++) {
    const u8* pointers[LANES];
    pointersOf(pointers, *work, FIELDS[i]);
    decodings[i] = startDecoding(pointers);
    powers[i] = decodings[i].root.uv7;
  }
  powerForRoot<3>(powers, powers);
  for (int i = 0; i < 3; i++) {
    const LaneMask decoded = finishDecoding(&points[i], decodings[i], powers[i]);
    refuse(work, static_cast<LaneMask>(~decoded));
  }
  work->pseudoOut = toCached(points[0]);
  const Points D8 = timesEight(points[2]);
  refuse(work, isIdentity(points[1]) | isIdentity(D8));
  hashStatements(work);
  prepareKeyImages(work, points[1], D8);
}

/** The tables of the ring members of the next rounds, from `first` on. */
void prepareMembers(Work* work, size_t first) {
  const u8 *keys[LANES], *commitments[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    size_t member = first + lane / work->slots;
    if (member >= work->ring) member = work->ring - 1;
    const Clsag& proof = *work->slot[work->slotOf(lane)].proof;
    keys[lane] = proof.keys + 32 * member;
    commitments[lane] = proof.commitments + 32 * member;
  }
  u8 hashes[LANES][32];
  LaneKeccak hash;
  start(&hash);
  absorb(&hash, keys, 4);
  finish(&hash, hashes);

  const Decoding key = startDecoding(keys), commitment = startDecoding(commitments);
  const Mapping mapping = startMapping(hashes);
  Fields powers[3] = {key.root.uv7, commitment.root.uv7, mapping.root.uv7};
  powerForRoot<3>(powers, powers);
  Points point;
  LaneMask decoded = finishDecoding(&point, key, powers[0]);
  fillPieces(work->tables.key, point, *work);
  decoded &= finishDecoding(&point, commitment, powers[1]);
  subtract<WithT::yes>(&point, &point, &work->pseudoOut);
  fillPieces(work->tables.commitment, point, *work);
  refuse(work, static_cast<LaneMask>(~decoded));
  fillPieces(work->tables.hashedKey, timesEight(finishMapping(mapping, powers[2])), *work);
}

/** Collects lane by lane what becomes a LaneTerm (`wordsPerPiece` words of digits each). */
struct TermBuilder {
  alignas(64) u64 words[4][LANES];
  const u64* places[LANES];

  void set(int lane, const u64* digits, int wordsPerPiece, const u64* place) {
    for (int i = 0; i < wordsPerPiece; i++) words[i][lane] = digits[i];
    places[lane] = place;
  }
  /** `base`: a place of the memory block that holds all of them. */
  LaneTerm term(const u64* base) const {
    LaneTerm t;
    t.places = placesOf(base, places);
    for (int i = 0; i < 4; i++) t.digits.word[i] = loadLanes(words[i]);
    return t;
  }
};

enum Side { LEFT, RIGHT };

/** The three sums that a lane takes part in. */
struct Terms {
  TermBuilder first, second, base;
};

/** Sets a lane to its piece of L or R of a slot; `place` is its lane in the members' tables. */
void setLane(Terms* terms, const Work& work, int lane, int slotNumber, Side side, int piece,
             int place) {
  static constexpr u64 NO_DIGITS[4] = {BYTE_BIAS, BYTE_BIAS, BYTE_BIAS, BYTE_BIAS};
  const Slot& slot = work.slot[slotNumber];
  const Tables& tables = work.tables;
  const int words = 4 / work.pieces;
  const int skip = words * piece;
  if (side == LEFT) {
    terms->first.set(lane, slot.cP + skip, words, tables.key[piece].place(place));
    terms->second.set(lane, slot.cC + skip, words, tables.commitment[piece].place(place));
    // The base tables have a quarter of 64 bits each.
    const int quarter = piece * (BASE_QUARTERS / work.pieces);
    const Affine* multiples = baseMultiples() + quarter * BASE_MULTIPLES;
    terms->base.set(lane, slot.sBytes + skip, words, multiples->plus.limb);
  } else {
    terms->first.set(lane, slot.s + skip, words, tables.hashedKey[piece].place(place));
    terms->second.set(lane, slot.c + skip, words, tables.W[piece].place(slotNumber));
    terms->base.set(lane, NO_DIGITS, words, baseMultiples()->plus.limb);
  }
}

/** The sum of the terms in every lane. */
Points sumOfTerms(const Work& work, const Terms& terms, bool withBase) {
  const LaneTerm first = terms.first.term(work.tables.start());
  const LaneTerm second = terms.second.term(work.tables.start());
  const LaneTerm base = terms.base.term(baseMultiples()->plus.limb);
  Points r = identities();
  for (int position = work.positions() - 1; position >= 0; position--) {
    if (position != work.positions() - 1) timesSixteen(&r);
    if (withBase && position % 2 == 0) {
      addFromAffine(&r, base.places, byteDigit(base.digits, position / 2));
    }
    addFromTable<WithT::yes>(&r, first.places, nibbleDigit(first.digits, position));
    const Lanes digit = nibbleDigit(second.digits, position);
    if (position > 0) {
      addFromTable<WithT::no>(&r, second.places, digit);
    } else {
      addFromTable<WithT::yes>(&r, second.places, digit);
    }
  }
  return r;
}

/** Adds to every lane the lane `distance` further on. */
void foldLanes(Points* p, int distance) {
  const CachedPoints other = toCached(rotateLanes(*p, distance));
  add<WithT::yes>(p, p, &other);
}

/** Encodes L and R of every slot in the round whose members lie at `place` in their tables. */
void computePairs(const Work& work, int place, u8 (*left)[32], u8 (*right)[32]) {
  Terms terms = {};
  if (work.slots == LANES) {
    for (int lane = 0; lane < LANES; lane++) setLane(&terms, work, lane, lane, LEFT, 0, lane);
    const Points L = sumOfTerms(work, terms, true);
    for (int lane = 0; lane < LANES; lane++) setLane(&terms, work, lane, lane, RIGHT, 0, lane);
    encodePair(left, right, L, sumOfTerms(work, terms, false));
    return;
  }
  // lane = piece·2·slots + side·slots + slot
  for (int lane = 0; lane < LANES; lane++) {
    const int slot = work.slotOf(lane);
    const Side side = (lane & work.slots) != 0 ? RIGHT : LEFT;
    setLane(&terms, work, lane, slot, side, lane / (2 * work.slots), place + slot);
  }
  Points total = sumOfTerms(work, terms, true);
  for (int distance = LANES / 2; distance >= 2 * work.slots; distance /= 2)
    foldLanes(&total, distance);
  u8 bytes[LANES][32];
  encode(bytes, total);
  std::memcpy(left, bytes, 32 * work.slots);
  std::memcpy(right, bytes[work.slots], 32 * work.slots);
}

void setDigits(Slot* slot, size_t round) {
  u8 bytes[32];
  const u8* s = slot->proof->s + 32 * round;
  // A response that is not below l is refused, but its digits must not overflow either.
  scalarToBytes(bytes, slot->refused ? SCALAR_ZERO : scalarFromBytes(s));
  addBias(slot->sBytes, bytes, BYTE_BIAS);
  addBias(slot->s, bytes, NIBBLE_BIAS);
  scalarToBytes(bytes, slot->challenge);
  addBias(slot->c, bytes, NIBBLE_BIAS);
  scalarToBytes(bytes, slot->challenge * slot->muP);
  addBias(slot->cP, bytes, NIBBLE_BIAS);
  scalarToBytes(bytes, slot->challenge * slot->muC);
  addBias(slot->cC, bytes, NIBBLE_BIAS);
}

void runRound(Work* work, size_t round) {
  const int inGroup = static_cast<int>(round % work->roundsPerGroup());
  if (inGroup == 0) prepareMembers(work, round);
  for (int s = 0; s < work->slots; s++) setDigits(&work->slot[s], round);
  u8 left[LANES][32], right[LANES][32];
  computePairs(*work, inGroup * work->slots, left, right);

  const u8 *lefts[LANES], *rights[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    lefts[lane] = left[work->slotOf(lane)];
    rights[lane] = right[work->slotOf(lane)];
  }
  LaneKeccak hash = work->prefix;
  absorb(&hash, lefts, 4);
  absorb(&hash, rights, 4);
  u8 hashes[LANES][32];
  finish(&hash, hashes);
  for (int s = 0; s < work->slots; s++) {
    Slot& slot = work->slot[s];
    slot.challenge = scalarFromBytes(hashes[s]);
    if (isZero(slot.challenge)) slot.refused = true;
  }
}

int slotsFor(size_t count) {
  int slots = 1;
  while (static_cast<size_t>(slots) < count) slots *= 2;
  return slots;
}

}  // namespace

bool verifyClsags(const Clsag* const* proofs, size_t count, Verdict* verdicts) {
  Work* work = static_cast<Work*>(aligned_alloc(alignof(Work), sizeof(Work)));
  if (work == nullptr) return false;
  work->slots = slotsFor(count);
  work->pieces = work->slots < MAX_PIECES ? MAX_PIECES / work->slots : 1;
  work->ring = proofs[0]->ring;
  for (int s = 0; s < work->slots; s++) {
    work->slot[s].proof = proofs[static_cast<size_t>(s) < count ? s : count - 1];
  }
  prepareSignatures(work);
  for (size_t round = 0; round < work->ring; round++) runRound(work, round);
  for (size_t i = 0; i < count; i++) {
    const Slot& slot = work->slot[i];
    const bool closes = isEqual(slot.challenge, scalarFromBytes(slot.proof->c1));
    verdicts[i] = slot.refused || (!closes && !slot.open) ? Verdict::refused
                  : slot.open                             ? Verdict::open
                                                          : Verdict::accepted;
  }
  free(work);
  return true;
}

}  // namespace MONERO_PATH
}  // namespace monero
