// The leaves of outputs in the curve tree: the rules are those of src/tree/leaf.ts.
#pragma once

#include "../../crypto/native/bytes.h"

namespace monero {

/** An output: key and commitment, 32 bytes each, then 64 of which only Carrot outputs have some: BLAKE2b-512 of the key. */
constexpr size_t TREE_OUTPUT_BYTES = 128;
/** A leaf: O, I and C on Ed25519, then x and y of each on Wei25519, 32 bytes each. */
constexpr size_t TREE_LEAF_BYTES = 9 * 32;

/** The kinds of outputs, and what is told of each afterwards. */
enum TreeOutput : u8 { LEGACY = 0, CARROT = 1 };
enum TreeLeaf : u8 { HAS_NO_LEAF = 0, HAS_LEAF = 1 };

/**
 * Makes the leaves of `count` outputs, with one inversion. `kinds` has a byte for each, in place of which it tells whether there is a
 * leaf; what is written where there is none has no meaning. False, for no leaf of all, if a point that is hashed to is the identity,
 * which nobody knows an output for.
 */
bool makeLeaves(u8* leaves, u8* kinds, const u8* outputs, size_t count);

}  // namespace monero
