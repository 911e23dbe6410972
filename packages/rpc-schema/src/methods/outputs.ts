import {
  defineTable,
  eitherOf,
  f,
  type InputOf,
  optional,
  type OutputOf,
  withDefault,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

const DISTRIBUTION_REQUEST = {
  amounts: f.u64s(),
  binary: withDefault(f.bool(), true),
  compress: f.bool(),
  cumulative: f.bool(),
  from_height: f.u64(),
  to_height: f.u64(),
};
export type DistributionRequest = InputOf<typeof DISTRIBUTION_REQUEST>;

const OUTPUT_DISTRIBUTION = defineTable({
  amount: f.u64(),
  base: f.u64(),
  binary: f.bool(),
  compress: f.bool(),
  compressed_data: optional(f.blob()),
  distribution: eitherOf(
    f.blob(),
    f.u64s(),
    (value): value is Uint8Array<ArrayBufferLike> => value instanceof Uint8Array,
  ),
  start_height: f.u64(),
});
export type OutputDistributionAnswer = OutputOf<(typeof OUTPUT_DISTRIBUTION)['fields']>;

const DISTRIBUTION_RESPONSE = { distributions: f.objects(OUTPUT_DISTRIBUTION) };

const HISTOGRAM_ENTRY = defineTable({
  amount: f.u64(),
  recent_instances: f.u64(),
  total_instances: f.u64(),
  unlocked_instances: f.u64(),
});

const OUTPUT_REQUEST = defineTable({ amount: f.u64(), index: f.u64() });

const OUTPUT_FIELDS = {
  height: f.u64(),
  key: f.hash(),
  mask: f.hash(),
  txid: f.hash(),
  unlocked: f.bool(),
};

const OUTPUT = defineTable(OUTPUT_FIELDS);

/** The documented binary form repeats the amount; monerod leaves it out, and its wallets ignore it. */
export const BINARY_OUTPUT = defineTable({ amount: f.u64(), ...OUTPUT_FIELDS });

/** Outputs of the curve tree, side by side: the number of each among all outputs of the chain, its type (0 legacy, 1 Carrot), key and commitment. */
export const TREE_OUTPUTS = defineTable({
  commitments: f.hashBlob(),
  output_pubkeys: f.hashBlob(),
  output_types: optional(f.blob()),
  unified_ids: f.packedU64s(),
});
export type TreeOutputsAnswer = OutputOf<(typeof TREE_OUTPUTS)['fields']>;

/** The chunks of a path of the curve tree, from the leaves to the root. */
export const TREE_PATH = defineTable({
  layer_chunks: f.objects(defineTable({ elems: f.hashBlob() })),
  leaves: f.object(TREE_OUTPUTS),
});
export type TreePathAnswer = OutputOf<(typeof TREE_PATH)['fields']>;

const PATH_ENTRY = defineTable({ leaf_idx: f.u64(), path: f.object(TREE_PATH) });
export type PathEntryAnswer = OutputOf<(typeof PATH_ENTRY)['fields']>;

/** Methods about outputs. */
export const OUTPUT_METHODS = {
  getOutputIndexes: defineMethod({
    binaryPaths: ['/get_o_indexes.bin'],
    summary: 'Returns the global indices of the outputs of a transaction.',
    restricted: 'served',
    base: 'access',
    request: { txid: f.hash() },
    response: { o_indexes: f.u64s() },
  }),
  getOuts: defineMethod({
    paths: ['/get_outs'],
    summary: 'Returns outputs by amount and index.',
    restricted: 'served',
    base: 'access',
    request: { outputs: f.objects(OUTPUT_REQUEST), get_txid: f.bool() },
    response: { outs: f.objects(OUTPUT) },
  }),
  getOutsBin: defineMethod({
    binaryPaths: ['/get_outs.bin'],
    summary: 'Returns outputs by amount and index, in binary form.',
    restricted: 'served',
    base: 'access',
    request: { outputs: f.objects(OUTPUT_REQUEST), get_txid: withDefault(f.bool(), true) },
    response: { outs: f.binaryObjects(BINARY_OUTPUT) },
  }),
  getPathByUnifiedIdBin: defineMethod({
    binaryPaths: ['/get_path_by_unified_id.bin'],
    summary:
      'Returns the paths of outputs in the curve tree that the chain had at so many blocks. Not served on networks without version 17.',
    restricted: 'served',
    base: 'access',
    request: { as_of_n_blocks: f.u64(), unified_ids: f.u64s() },
    response: { n_leaf_tuples: f.u64(), paths: f.objects(PATH_ENTRY) },
  }),
  getOutputHistogram: defineMethod({
    names: ['get_output_histogram'],
    summary: 'Returns the number of outputs by amount.',
    restricted: 'served',
    base: 'access',
    request: {
      amounts: f.u64s(),
      max_count: f.u64(),
      min_count: f.u64(),
      recent_cutoff: f.u64(),
      unlocked: f.bool(),
    },
    response: { histogram: f.objects(HISTOGRAM_ENTRY) },
  }),
  getOutputDistribution: defineMethod({
    names: ['get_output_distribution'],
    summary: 'Returns the number of outputs of an amount, block by block.',
    restricted: 'served',
    base: 'access',
    steady: true,
    request: DISTRIBUTION_REQUEST,
    response: DISTRIBUTION_RESPONSE,
  }),
  getOutputDistributionBin: defineMethod({
    binaryPaths: ['/get_output_distribution.bin'],
    summary: 'Returns the number of outputs of an amount, block by block, in binary form.',
    restricted: 'served',
    base: 'access',
    steady: true,
    request: DISTRIBUTION_REQUEST,
    response: DISTRIBUTION_RESPONSE,
  }),
};
