// The generator vectors of Bulletproofs+ (upstream `get_exponent` with "bulletproof_plus").
#pragma once

#include "group.h"

namespace monero {

/** Generator pairs of the largest proof: 16 outputs of 64 bits. */
constexpr size_t MAX_PAIRS = 1024;
/** Generator pairs that have tables: enough for two outputs, as nearly all transactions have. */
constexpr size_t TABLED_PAIRS = 128;

/** G_i and H_i in turn: entry 2i is H_i, entry 2i + 1 is G_i, as upstream numbers them. */
const Affine* generatorVector();

/** FIXED_ENTRIES odd multiples of each of the first 2·TABLED_PAIRS entries of the vector. */
const Affine* generatorTables();

}  // namespace monero
