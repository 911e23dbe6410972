// CLSAG signatures over rings of one size in lockstep; see clsag.cc for the equations.
//
// The rounds of one signature follow one another, but signatures are independent, and so is all
// work on ring members that does not need the challenge. `slots` is the number of signatures worked
// on together, 1, 2, 4 or 8; fewer signatures are filled up with copies of the last.
//
//   8 slots  lane = slot. L and R are computed one after the other.
//   4 slots  lanes 0-3 compute L and lanes 4-7 R of their slots.
//   2 slots  The same, and every scalar is cut into two pieces of 128 bits: lanes 4-7 multiply
//            2^128·P by the high pieces. Half the doublings, which all lanes share, are left.
//   1 slot   Four pieces of 64 bits.
//
// Ring members are prepared for 8/slots rounds together: lane = (round mod 8/slots)·slots + slot.
#include <stdlib.h>

#include "clsag_hash.h"
#include "ifma.h"
#include "ifma_multiply.h"
#include "tables.h"

namespace monero {
namespace ifma {

namespace {

constexpr int MAX_PIECES = 4;
constexpr int MAX_SLOTS = 8;

/** Tables of the multiples P·2^(piece·256/pieces); one array, so that lanes can mix them. */
struct Tables {
  Table8 key[MAX_PIECES], commitment[MAX_PIECES], hashedKey[MAX_PIECES];
  /** Of W = muP·I + muC·8D; lane = slot. */
  Table8 W[MAX_PIECES];

  const u64* start() const { return key[0].words; }
  u64 offset(const Table8& table) const { return static_cast<u64>(table.words - start()); }
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
  Slot slot[MAX_SLOTS];
  /** The round hash after all that does not change; lane mod slots = slot. */
  Keccak8 prefix;
  Cached8 pseudoOut;

  int slotOf(int lane) const { return lane & (slots - 1); }
  int roundsPerGroup() const { return MAX_SLOTS / slots; }
  int positions() const { return NIBBLES / pieces; }
};

/** The pointer `field` of the signature of each lane's slot. */
void pointersOf(const u8* pointers[8], const Work& work, const u8* Clsag::*field) {
  for (int lane = 0; lane < 8; lane++) pointers[lane] = work.slot[work.slotOf(lane)].proof->*field;
}

void refuse(Work* work, LaneMask lanes) {
  for (int lane = 0; lane < 8; lane++) {
    if ((lanes >> lane) & 1) work->slot[work->slotOf(lane)].refused = true;
  }
}

/** Absorbs a field of all signatures, 32 bytes each element. */
void absorbField(Keccak8* hash, const Work& work, const u8* Clsag::*field, size_t elements) {
  const u8* pointers[8];
  pointersOf(pointers, work, field);
  absorb(hash, pointers, 4 * elements);
}

void startClsagHash(Keccak8* hash, const Work& work, const char (&domain)[12]) {
  u8 padded[32] = {};
  std::memcpy(padded, domain, sizeof domain - 1);
  const u8* pointers[8];
  for (const u8*& pointer : pointers) pointer = padded;
  start(hash);
  absorb(hash, pointers, 4);
  absorbField(hash, work, &Clsag::keys, work.ring);
  absorbField(hash, work, &Clsag::commitments, work.ring);
}

/** muP or muC of every slot. */
void aggregate(Work* work, const char (&domain)[12], Scalar Slot::*result) {
  Keccak8 hash;
  startClsagHash(&hash, *work, domain);
  absorbField(&hash, *work, &Clsag::keyImage, 1);
  absorbField(&hash, *work, &Clsag::D, 1);
  absorbField(&hash, *work, &Clsag::pseudoOut, 1);
  u8 hashes[8][32];
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
void fillPieces(Table8* tables, Point8 p, const Work& work) {
  for (int piece = 0; piece < work.pieces; piece++) {
    if (piece > 0) {
      for (int i = 0; i < work.positions(); i++) timesSixteen(&p);
    }
    fillTable(&tables[piece], p);
  }
}

/**
 * The tables of W, from muP·I and muC·8D; l·I shows whether I has torsion. These are three
 * multiplications per slot, packed into as few groups of eight as possible.
 */
void prepareKeyImages(Work* work, const Point8& keyImage8, const Point8& D8) {
  Point keyImages[8], Ds[8], results[3 * MAX_SLOTS];
  Point *keyImagePointers[8], *DPointers[8];
  for (int lane = 0; lane < 8; lane++) {
    keyImagePointers[lane] = &keyImages[lane];
    DPointers[lane] = &Ds[lane];
  }
  scatterPoints(keyImagePointers, keyImage8);
  scatterPoints(DPointers, D8);

  u8 scalars[3 * MAX_SLOTS][32];
  const int jobs = 3 * work->slots;
  for (int s = 0; s < work->slots; s++) {
    std::memcpy(scalars[3 * s], ORDER_BYTES, 32);
    scalarToBytes(scalars[3 * s + 1], work->slot[s].muP);
    scalarToBytes(scalars[3 * s + 2], work->slot[s].muC);
  }
  for (int first = 0; first < jobs; first += 8) {
    const Point* group[8];
    Point* targets[8];
    const u8* groupScalars[8];
    for (int lane = 0; lane < 8; lane++) {
      const int job = first + lane < jobs ? first + lane : jobs - 1;
      group[lane] = job % 3 == 2 ? &Ds[job / 3] : &keyImages[job / 3];
      groupScalars[lane] = scalars[job];
      targets[lane] = &results[job];
    }
    scatterPoints(targets, multiply(gatherPoints(group), groupScalars));
  }

  Point W[MAX_SLOTS];
  const Point* lanes[8];
  for (int s = 0; s < work->slots; s++) {
    if (!isIdentity(results[3 * s])) work->slot[s].open = true;
    W[s] = sum(results[3 * s + 1], results[3 * s + 2]);
  }
  for (int lane = 0; lane < 8; lane++) lanes[lane] = &W[work->slotOf(lane)];
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
  Field8 powers[3];
  Point8 points[3];
  for (int i = 0; i < 3; i++) {
    const u8* pointers[8];
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
  const Point8 D8 = timesEight(points[2]);
  refuse(work, isIdentity(points[1]) | isIdentity(D8));
  hashStatements(work);
  prepareKeyImages(work, points[1], D8);
}

/** The tables of the ring members of the next rounds, from `first` on. */
void prepareMembers(Work* work, size_t first) {
  const u8 *keys[8], *commitments[8];
  for (int lane = 0; lane < 8; lane++) {
    size_t member = first + lane / work->slots;
    if (member >= work->ring) member = work->ring - 1;
    const Clsag& proof = *work->slot[work->slotOf(lane)].proof;
    keys[lane] = proof.keys + 32 * member;
    commitments[lane] = proof.commitments + 32 * member;
  }
  u8 hashes[8][32];
  Keccak8 hash;
  start(&hash);
  absorb(&hash, keys, 4);
  finish(&hash, hashes);

  const Decoding key = startDecoding(keys), commitment = startDecoding(commitments);
  const Mapping mapping = startMapping(hashes);
  Field8 powers[3] = {key.root.uv7, commitment.root.uv7, mapping.root.uv7};
  powerForRoot<3>(powers, powers);
  Point8 point;
  LaneMask decoded = finishDecoding(&point, key, powers[0]);
  fillPieces(work->tables.key, point, *work);
  decoded &= finishDecoding(&point, commitment, powers[1]);
  add<WithT::yes>(&point, &point, &work->pseudoOut, 0xff);
  fillPieces(work->tables.commitment, point, *work);
  refuse(work, static_cast<LaneMask>(~decoded));
  fillPieces(work->tables.hashedKey, timesEight(finishMapping(mapping, powers[2])), *work);
}

/** What one lane adds: digits of a term, or of nothing. */
struct LaneTerm {
  const u64* digits;
  u64 offset;
};

/** Collects lane by lane what becomes a Term8 (`wordsPerPiece` words of digits each). */
struct TermBuilder {
  alignas(64) u64 words[4][8];
  alignas(64) u64 offsets[8];

  void set(int lane, const u64* digits, int wordsPerPiece, u64 offset) {
    for (int i = 0; i < wordsPerPiece; i++) words[i][lane] = digits[i];
    offsets[lane] = offset;
  }
  DigitWords digits() const {
    DigitWords d;
    for (int i = 0; i < 4; i++) d.word[i] = _mm512_load_si512(words[i]);
    return d;
  }
  Lanes offset() const { return _mm512_load_si512(offsets); }
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
    terms->first.set(lane, slot.cP + skip, words, tables.offset(tables.key[piece]) + place);
    terms->second.set(lane, slot.cC + skip, words, tables.offset(tables.commitment[piece]) + place);
    // The base tables have a quarter of 64 bits each.
    const u64 quarter = static_cast<u64>(piece * (MAX_PIECES / work.pieces));
    terms->base.set(lane, slot.sBytes + skip, words, quarter * BASE_MULTIPLES * 15);
  } else {
    terms->first.set(lane, slot.s + skip, words, tables.offset(tables.hashedKey[piece]) + place);
    terms->second.set(lane, slot.c + skip, words, tables.offset(tables.W[piece]) + slotNumber);
    terms->base.set(lane, NO_DIGITS, words, 0);
  }
}

/** The sum of the terms in every lane. */
Point8 sumOfTerms(const Work& work, const Terms& terms, bool withBase) {
  const Term8 first = {work.tables.start(), terms.first.offset(), terms.first.digits()};
  const Term8 second = {work.tables.start(), terms.second.offset(), terms.second.digits()};
  const DigitWords baseDigits = terms.base.digits();
  const Lanes baseOffset = terms.base.offset();
  Point8 r = identity8();
  for (int position = work.positions() - 1; position >= 0; position--) {
    if (position != work.positions() - 1) timesSixteen(&r);
    if (withBase && position % 2 == 0) {
      addFromAffine(&r, baseMultiples(), baseOffset, byteDigit(baseDigits, position / 2));
    }
    addFromTable<WithT::yes>(&r, first, nibbleDigit(first.digits, position));
    const Lanes digit = nibbleDigit(second.digits, position);
    if (position > 0) {
      addFromTable<WithT::no>(&r, second, digit);
    } else {
      addFromTable<WithT::yes>(&r, second, digit);
    }
  }
  return r;
}

/** Adds to every lane the lane `distance` further on. */
void foldLanes(Point8* p, int distance) {
  const Cached8 other = toCached(rotateLanes(*p, distance));
  add<WithT::yes>(p, p, &other, 0);
}

/** Encodes L and R of every slot in the round whose members lie at `place` in their tables. */
void computePairs(const Work& work, int place, u8 (*left)[32], u8 (*right)[32]) {
  Terms terms = {};
  if (work.slots == MAX_SLOTS) {
    for (int lane = 0; lane < 8; lane++) setLane(&terms, work, lane, lane, LEFT, 0, lane);
    const Point8 L = sumOfTerms(work, terms, true);
    for (int lane = 0; lane < 8; lane++) setLane(&terms, work, lane, lane, RIGHT, 0, lane);
    encodePair(left, right, L, sumOfTerms(work, terms, false));
    return;
  }
  // lane = piece·2·slots + side·slots + slot
  for (int lane = 0; lane < 8; lane++) {
    const int slot = work.slotOf(lane);
    const Side side = (lane & work.slots) != 0 ? RIGHT : LEFT;
    setLane(&terms, work, lane, slot, side, lane / (2 * work.slots), place + slot);
  }
  Point8 total = sumOfTerms(work, terms, true);
  for (int distance = 4; distance >= 2 * work.slots; distance /= 2) foldLanes(&total, distance);
  u8 bytes[8][32];
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
  u8 left[MAX_SLOTS][32], right[MAX_SLOTS][32];
  computePairs(*work, inGroup * work->slots, left, right);

  const u8 *lefts[8], *rights[8];
  for (int lane = 0; lane < 8; lane++) {
    lefts[lane] = left[work->slotOf(lane)];
    rights[lane] = right[work->slotOf(lane)];
  }
  Keccak8 hash = work->prefix;
  absorb(&hash, lefts, 4);
  absorb(&hash, rights, 4);
  u8 hashes[8][32];
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

}  // namespace ifma
}  // namespace monero
