/**
 * Which formats a parser reads. Bytes of blocks and transactions that a chain accepted before hard fork 17 mean the same in all of them; they
 * differ in what no chain has accepted yet.
 *
 * - `ringct`: what nodes read before hard fork 17 is scheduled. Tag 1 of an output is a script hash, RingCT types end at 6, and blocks
 *   of every version end with the transaction ids.
 * - `fcmp`: what nodes read once it is scheduled, below its height too. Tag 1 is a Carrot output, there is RingCT type 7, and blocks from
 *   version 17 on end with the layers and the root of the curve tree, which are leaves of the tree hash.
 * - `fcmp-uncounted`: the same, but the hashing blob of a block from version 17 on does not end with the number of transactions. Upstream
 *   has not decided between the two.
 *
 * Source: src/cryptonote_basic/cryptonote_basic.h and get_block_hashing_blob in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export type Formats = 'ringct' | 'fcmp' | 'fcmp-uncounted';

/** The formats that functions read unless they are told otherwise. */
export const DEFAULT_FORMATS: Formats = 'fcmp';

/**
 * First version of blocks with a curve tree.
 * Source: HF_VERSION_FCMP_PLUS_PLUS in src/cryptonote_config.h.
 */
export const FIRST_TREE_VERSION = 17;

/** Whether these formats have the outputs, proofs and block fields of hard fork 17. */
export function hasFcmp(formats: Formats): boolean {
  return formats !== 'ringct';
}

/** Whether a block of this version ends with the fields of the curve tree. */
export function hasTreeFields(formats: Formats, majorVersion: number): boolean {
  return hasFcmp(formats) && majorVersion >= FIRST_TREE_VERSION;
}

/** Whether the hashing blob of a block of this version ends with the number of transactions. */
export function countsTransactions(formats: Formats, majorVersion: number): boolean {
  return formats !== 'fcmp-uncounted' || majorVersion < FIRST_TREE_VERSION;
}
