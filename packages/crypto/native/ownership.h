// The computations by which a wallet finds its outputs: derivations, view tags, spend keys; and sums of two
// multiples. The secrets take part in arithmetic whose time depends on them.
#pragma once

#include "batch.h"

namespace monero {

/** The view tag of an output that has none. */
constexpr uint32_t NO_VIEW_TAG = 256;

/** An output that may belong to an account: OutputCandidate in src/types.ts. */
struct Candidate {
  const u8* derivation;
  const u8* key;
  uint32_t index;
  /** 0 … 255 or NO_VIEW_TAG. */
  uint32_t viewTag;
};

/** a·A + b·B as bytes: PointSum in src/types.ts. */
struct EncodedSum {
  const u8* a;
  const u8* A;
  const u8* b;
  const u8* B;
};

/**
 * Writes 8·secret·P for points of 32 bytes each, one after another; answers 0 where there is none.
 * The secret is below l.
 */
void keyDerivations(ScalarBytes* derivations, u8* answers, const u8* points, size_t count,
                    const u8* secret, const VectorCode* code);

/**
 * Writes P - Hs(derivation ‖ index)·G for each candidate; answers 0 where the view tag differs or
 * P is not a point.
 */
void spendKeys(ScalarBytes* keys, u8* answers, const Candidate* candidates, size_t count,
               const VectorCode* code);

/** Writes the sums; answers 0 where a point does not decode or a scalar is not below l. */
void addMultiples(ScalarBytes* results, u8* answers, const EncodedSum* sums, size_t count,
                  const VectorCode* code);

namespace {

/** Messages this short fit into one block of Keccak with their padding. */
constexpr size_t MAX_MESSAGE = KECCAK_RATE - 1;

/** Appends a number below 2^32, seven bits a byte; answers the new size. */
inline size_t appendVarint(u8* bytes, size_t size, uint32_t value) {
  for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<u8>(value | 0x80);
  bytes[size++] = static_cast<u8>(value);
  return size;
}

/** Pads a message of `size` bytes, at most MAX_MESSAGE, that starts a block of zeros. */
inline void pad(u8 block[KECCAK_RATE], size_t size) {
  block[size] ^= 0x01;
  block[KECCAK_RATE - 1] ^= 0x80;
}

/** "view_tag" ‖ derivation ‖ index, padded. */
inline void viewTagBlock(u8 block[KECCAK_RATE], const Candidate& candidate) {
  std::memset(block, 0, KECCAK_RATE);
  std::memcpy(block, "view_tag", 8);
  std::memcpy(block + 8, candidate.derivation, 32);
  pad(block, appendVarint(block, 40, candidate.index));
}

/** derivation ‖ index, padded. */
inline void scalarBlock(u8 block[KECCAK_RATE], const Candidate& candidate) {
  std::memset(block, 0, KECCAK_RATE);
  std::memcpy(block, candidate.derivation, 32);
  pad(block, appendVarint(block, 32, candidate.index));
}

}  // namespace

}  // namespace monero
