import type { Yielder } from '@monero-node/base';
import {
  type JsonValue,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  toHex,
} from '@monero-node/codec';
import type { BlockEntry } from '@monero-node/rpc-schema';
import {
  commonHeight,
  fullBlob,
  readBlock,
  readSpan,
  type RpcChain,
} from '@monero-node/rpc/shared';
import { defineZmqMethod, type ZmqContext, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';
import { blockJson, transactionJson } from '../transaction-json.ts';

const MAX_BLOCKS = 1000;
const MAX_TRANSACTIONS = 20_000;
/** As JSON they take two to three times as much, which must fit an answer. monerod has 100 MiB. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_IDS = 10_000;
const IDS_PER_STEP = 1000;

export const getHeight = defineZmqMethod({
  name: 'get_height',
  params: {},
  handler: (_params, { services: { chain } }) => ({ height: chain.height }),
});

export const getBlockHash = defineZmqMethod({
  name: 'get_block_hash',
  params: { height: read.u64 },
  handler: ({ height }, { services: { chain } }) => {
    const id =
      height < BigInt(chain.height) ? chain.store.blockMeta(Number(height))?.id : undefined;
    if (id === undefined) throw new ZmqFailure('height given is higher than current chain height');
    return { hash: toHex(id) };
  },
});

/** Ids from the newest block both sides have, which is included. */
export const getHashesFast = defineZmqMethod({
  name: 'get_hashes_fast',
  params: { known_hashes: read.hashes, start_height: read.u64 },
  handler: async ({ known_hashes: known }, { services: { chain }, yielder }) => {
    const start = await commonHeight(chain, known, yielder);
    if (start === undefined) {
      throw new ZmqFailure('Blockchain::find_blockchain_supplement() returned false');
    }
    return {
      hashes: hashesFrom(chain, start, yielder),
      start_height: start,
      current_height: chain.height,
    };
  },
});

async function* hashesFrom(
  chain: RpcChain,
  start: number,
  yielder: Yielder,
): AsyncGenerator<JsonValue> {
  const end = start + MAX_IDS;
  for (let from = start; from < end; from += IDS_PER_STEP) {
    await yielder.yieldIfDue();
    for (const { id } of chain.store.blockMetas(from, Math.min(end, from + IDS_PER_STEP))) {
      yield toHex(id);
    }
  }
}

/** Whole blocks from a height, or from the newest block both sides have, which is included. */
export const getBlocksFast = defineZmqMethod({
  name: 'get_blocks_fast',
  params: {
    block_ids: read.hashes,
    start_height: read.u64,
    prune: read.bool,
  },
  handler: async ({ block_ids: ids, start_height: asked, prune }, context) => {
    const {
      services: { chain },
      yielder,
    } = context;
    const from = asked > 0n ? heightWithin(chain, asked) : await commonHeight(chain, ids, yielder);
    if (from === undefined) {
      throw new ZmqFailure('core::find_blockchain_supplement() returned false');
    }
    const currentHeight = chain.height;
    const limits = { blocks: MAX_BLOCKS, transactions: MAX_TRANSACTIONS, bytes: MAX_BYTES };
    const parts = { prune, withoutMinerTx: false };
    const read = (height: number) => readBlock(chain, height, parts);
    const span = await readSpan(chain, { from, limits, read }, yielder);
    return {
      blocks: blocksJson(span.blocks, context),
      start_height: from,
      current_height: currentHeight,
      output_indices: span.indices.map(({ indices }) =>
        (indices as readonly { indices: readonly number[] }[]).map((tx) => [...tx.indices]),
      ),
    };
  },
});

async function* blocksJson(
  entries: AsyncIterable<BlockEntry> | Iterable<BlockEntry>,
  { yielder }: ZmqContext,
): AsyncGenerator<JsonValue> {
  for await (const entry of entries) {
    const transactions: JsonValue[] = [];
    for (const tx of (entry.txs ?? []) as readonly (Uint8Array | { blob: Uint8Array })[]) {
      await yielder.yieldIfDue();
      transactions.push(
        tx instanceof Uint8Array
          ? transactionJson(parseTransaction(tx).tx)
          : transactionJson(parsePrunedTransaction(tx.blob).tx, true),
      );
    }
    yield { block: blockJson(parseBlock(entry.block).block), transactions };
  }
}

function heightWithin(chain: RpcChain, height: bigint): number | undefined {
  return height < BigInt(chain.height) ? Number(height) : undefined;
}

/** The full blob of a stored transaction. */
export function storedBlob(
  chain: RpcChain,
  place: { readonly height: number; readonly position: number },
): Uint8Array | undefined {
  const stored = chain.store.tx(place.height, place.position);
  return stored === undefined ? undefined : fullBlob(stored);
}
