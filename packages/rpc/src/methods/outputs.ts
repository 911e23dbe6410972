import type { Yielder } from '@monero-node/base';
import type { TreeOutputs } from '@monero-node/blockchain';
import { CountedList } from '@monero-node/codec/portable-storage';
import type { TreePaths } from '@monero-node/curve-tree';
import {
  type DistributionRequest,
  type OutputDistributionAnswer,
  type PathEntryAnswer,
  RPC_ERROR,
} from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import { MAX_PATHS, MAX_RESTRICTED_PATHS, MAX_RESTRICTED_RECENT_CUTOFF } from '../limits.ts';
import type { Availability, HandlerOf, MethodRows } from '../method.ts';
import { distributionRange } from '../outputs/output-distributions.ts';
import { type HistogramEntry, outputHistogram } from '../outputs/output-histogram.ts';
import { lookUpOutputs, renderOutputs } from '../outputs/outputs.ts';
import { pathEntry, whileTreeLasts } from '../outputs/tree-answers.ts';
import { compressIntegers, packU64, toNumbers } from '../outputs/pack-integers.ts';

/**
 * Returns the global indices of the outputs of a transaction on the chain. Throws RpcStatus when there is none with
 * this 32-byte id.
 */
const getOutputIndexes: HandlerOf<'getOutputIndexes'> = ({ txid }, { services: { chain } }) => {
  const location = txid.length === 32 ? chain.store.txLocation(txid) : undefined;
  if (location === undefined) throw new RpcStatus('Failed');
  return { o_indexes: chain.store.outputIndices(location.height, location.position) };
};

/** Returns the keys and commitments of outputs, 32 bytes each. Throws RpcStatus as `lookUpOutputs` does. */
const getOuts: HandlerOf<'getOuts'> = async (request, context) => ({
  outs: await lookUpOutputs(context, request.outputs, request.get_txid),
});

/** Returns the same in portable storage, with transaction ids by default. Throws RpcStatus as `renderOutputs` does. */
const getOutsBin: HandlerOf<'getOutsBin'> = async (request, context) => ({
  outs: await renderOutputs(context, request.outputs, request.get_txid),
});

/** Paths that are read at once and kept until they are sent. */
const HELD_PATHS = 100;
/** Memory of a path: 38 outputs and up to 12 layers of 28 nodes on average. */
const BYTES_PER_PATH = 24_000;
/** Memory of a place that was found. */
const BYTES_PER_PLACE = 16;

/**
 * Returns the paths of outputs in the tree of index `as_of_n_blocks` - 1; an output that has no leaf in it gets an empty path. Throws RpcStatus
 * for too many outputs, for one that the chain does not have, and for a tree that it does not have.
 */
const getPathByUnifiedIdBin: HandlerOf<'getPathByUnifiedIdBin'> = async (
  { as_of_n_blocks: blocks, unified_ids: ids },
  { services: { chain }, restricted, yielder, holds },
) => {
  if (ids.length > (restricted ? MAX_RESTRICTED_PATHS : MAX_PATHS))
    throw new RpcStatus('Too many paths requested');
  const tree = chain.treeRoots.outputs;
  const index = Number(blocks === 0n ? BigInt(chain.height) : blocks) - 1;
  if (tree === undefined || index >= tree.indexes) throw new RpcStatus('Failed');
  const paths = tree.pathsAt(index);
  const places = await whileTreeLasts(() => placesOf(tree, paths, ids, yielder));
  const entries = entriesOf(paths, places, yielder);
  if (places.length > HELD_PATHS) {
    holds(places.length * BYTES_PER_PLACE);
    return { n_leaf_tuples: paths.leaves, paths: new CountedList(places.length, entries) };
  }
  holds(places.length * BYTES_PER_PATH);
  const held: PathEntryAnswer[] = [];
  await whileTreeLasts(async () => {
    for await (const entry of entries) held.push(entry);
  });
  return { n_leaf_tuples: paths.leaves, paths: held };
};

/** Rejects with RpcStatus for an output that the chain does not have, and with RangeError when the tree has changed. */
async function placesOf(
  tree: TreeOutputs,
  paths: TreePaths,
  ids: readonly bigint[],
  yielder: Yielder,
): Promise<(number | undefined)[]> {
  const places: (number | undefined)[] = [];
  for (const id of ids) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    const found = tree.find(paths, id);
    if (found === undefined) throw new RpcStatus('Failed');
    places.push(found.place);
  }
  return places;
}

/** Reads paths while they are sent. The tree may change meanwhile: the iterator then throws RangeError. */
async function* entriesOf(
  paths: TreePaths,
  places: readonly (number | undefined)[],
  yielder: Yielder,
): AsyncGenerator<PathEntryAnswer> {
  for (const place of places) {
    await yielder.yieldIfDue();
    yield pathEntry(paths, place);
  }
}

const withTree: Availability = ({ chain }) => chain.treeRoots.outputs !== undefined;

/**
 * Returns the number of outputs by amount in atomic units. Throws RpcStatus on a restricted listener for requests
 * without amounts or with an old cutoff.
 */
const getOutputHistogram: HandlerOf<'getOutputHistogram'> = (request, context) => {
  const {
    services: { chain, now },
    restricted,
  } = context;
  const { recent_cutoff: cutoff } = request;
  if (restricted && request.amounts.length === 0) {
    throw new RpcStatus(
      'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
    );
  }
  if (restricted && cutoff > 0n && cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
    throw new RpcStatus('Recent cutoff is too old');
  }
  return { histogram: entries(outputHistogram(chain, request, context)) };
};

async function* entries(counts: AsyncIterable<HistogramEntry>) {
  for await (const { amount, total, unlocked, recent } of counts) {
    yield {
      amount,
      recent_instances: recent,
      total_instances: total,
      unlocked_instances: unlocked,
    };
  }
}

/** Most entries of an answer, over all amounts: as packed integers they take 800 MB. monerod has no such limit. */
const MAX_ENTRIES = 100_000_000;
/** Memory of a count as a number of a list or in packed form. */
const BYTES_PER_ENTRY = 8;
/** A longer distribution is made by a call that has a slot. */
const MAX_BYTES_WITHOUT_SLOT = 256 * 1024;
const FAILED = 'Failed to get output distribution';
const RESTRICTED =
  'Restricted RPC can only get output distribution for rct outputs. Use your own node.';

/**
 * Returns the number of outputs that each block made, by amount in atomic units. Throws JsonRpcError for a range that
 * leaves the chain, or on a restricted listener for more than the RingCT outputs; RpcStatus for too many amounts.
 */
const getOutputDistribution: HandlerOf<'getOutputDistribution'> = (request, context) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  const distributions = distributionsOf(request, context);
  if (distributions === undefined) throw new JsonRpcError(RPC_ERROR.internal, FAILED);
  return { distributions };
};

/**
 * Returns the same in portable storage. Throws JsonRpcError on a restricted listener for more than the RingCT outputs;
 * RpcStatus unless `binary` is set, and for a range that leaves the chain.
 */
const getOutputDistributionBin: HandlerOf<'getOutputDistributionBin'> = (request, context) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  if (!request.binary) throw new RpcStatus('Binary only call');
  const distributions = distributionsOf(request, context);
  if (distributions === undefined) throw new RpcStatus(FAILED);
  return { distributions };
};

/** On a restricted listener only the list of RingCT outputs, and that once. */
function isAllowed({ amounts }: DistributionRequest, { restricted }: RpcContext): boolean {
  return !restricted || (amounts.length === 1 && amounts[0] === 0n);
}

/** Returns distributions that are counted while they are sent; undefined for a range that leaves the chain. */
function distributionsOf(
  request: DistributionRequest,
  context: RpcContext,
): CountedList<OutputDistributionAnswer> | undefined {
  const {
    services: { chain },
  } = context;
  const from = Number(request.from_height);
  const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
  const { amounts } = request;
  const clear = amounts.find((amount) => amount !== 0n);
  const kinds = [clear, amounts.includes(0n) ? 0n : undefined].filter((kind) => kind !== undefined);
  let entries = 0;
  for (const amount of kinds) {
    const range = distributionRange(chain, { amount, from, to });
    if (range === undefined) return undefined;
    entries = Math.max(entries, range.length);
  }
  if (entries * amounts.length > MAX_ENTRIES) throw new RpcStatus('Too many amounts requested');
  return new CountedList(amounts.length, answers(request, { from, to }, context));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function* answers(
  request: DistributionRequest,
  range: Range,
  context: RpcContext,
): AsyncGenerator<OutputDistributionAnswer> {
  let isFirst = true;
  for (const amount of request.amounts) {
    const entries = distributionRange(context.services.chain, { ...range, amount })?.length ?? 0;
    const bytes = entries * BYTES_PER_ENTRY;
    // A call that takes much memory needs a slot before. Those after the first are made without one.
    if (bytes > MAX_BYTES_WITHOUT_SLOT) await context.yielder.yieldNow();
    else await context.yielder.yieldIfDue();
    if (!isFirst) context.holds(2 * bytes);
    yield await answerOf(request, { ...range, amount }, context);
    isFirst = false;
  }
  context.holds(0);
}

/** Returns the distribution of one amount; only its list stays in memory. */
async function answerOf(
  { binary, compress, cumulative }: DistributionRequest,
  query: Range & { readonly amount: bigint },
  context: RpcContext,
): Promise<OutputDistributionAnswer> {
  const {
    services: { chain, distributions },
    yielder,
  } = context;
  const found = await distributions.get(chain, { ...query, cumulative }, context);
  if (found === undefined) throw new Error('the chain became shorter while it was counted');
  const { counts, base, startHeight } = found;
  const compressed = binary && compress ? await compressIntegers(counts, yielder) : undefined;
  const distribution = compressed === undefined ? await listOf(counts, binary, yielder) : undefined;
  context.holds(compressed?.length ?? counts.length * BYTES_PER_ENTRY);
  return {
    amount: query.amount,
    base,
    binary,
    compress,
    compressed_data: compressed,
    distribution,
    start_height: startHeight,
  };
}

function listOf(
  counts: Float64Array,
  binary: boolean,
  yielder: Yielder,
): Promise<Uint8Array | number[]> {
  return binary ? packU64(counts, yielder) : toNumbers(counts, yielder);
}

export const OUTPUT_ROWS = {
  getOutputIndexes: { handler: getOutputIndexes, answeredBy: 'worker', isForwarded: true },
  getOuts: { handler: getOuts, answeredBy: 'worker', isForwarded: true },
  getOutsBin: { handler: getOutsBin, answeredBy: 'worker', isForwarded: true },
  getPathByUnifiedIdBin: {
    handler: getPathByUnifiedIdBin,
    answeredBy: 'worker',
    available: withTree,
  },
  getOutputHistogram: { handler: getOutputHistogram, answeredBy: 'worker', isForwarded: true },
  getOutputDistribution: {
    handler: getOutputDistribution,
    answeredBy: 'worker',
    isForwarded: true,
  },
  getOutputDistributionBin: {
    handler: getOutputDistributionBin,
    answeredBy: 'worker',
    isForwarded: true,
  },
} satisfies Partial<MethodRows>;
