// The generator vectors of both kinds of Bulletproofs (upstream `get_exponent`).
#pragma once

#include "group.h"

namespace monero {

enum class GeneratorKind { bulletproof, bulletproofPlus };

/** Generator pairs of the largest proof: 16 outputs of 64 bits. */
constexpr size_t MAX_PAIRS = 1024;
/** Generator pairs that have tables: enough for two outputs, as nearly all transactions have. */
constexpr size_t TABLED_PAIRS = 128;

/** G_i and H_i in turn: entry 2i is H_i, entry 2i + 1 is G_i, as upstream numbers them. */
const Affine* generatorVector(GeneratorKind kind);

/** FIXED_ENTRIES odd multiples of each of the first 2·TABLED_PAIRS entries of the vector. */
const Affine* generatorTables(GeneratorKind kind);

/** Multiples 1P to 8P of a point: digits of four bits with a sign. */
constexpr int FIXED_MULTIPLES = 8;

/**
 * FIXED_MULTIPLES multiples of G, of H and of the first `generators` entries of the vector, in this
 * order; then up to 7 unused entries, so that they can be read in groups of eight.
 */
const Affine* generatorMultiples(GeneratorKind kind, size_t generators);

}  // namespace monero
