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

/** Multiples 1P to 128P of a point: digits of eight bits with a sign. */
constexpr int FIXED_MULTIPLES = 128;

/** Points with such multiples: G, H and the first entries of the vector. */
constexpr size_t FIXED_POINTS = 2 + 2 * TABLED_PAIRS;

/**
 * FIXED_MULTIPLES multiples of each of FIXED_POINTS points, in this order; then those of up to 7 unused
 * points, so that they can be read in groups of eight.
 */
const Affine* generatorMultiples(GeneratorKind kind);

}  // namespace monero
