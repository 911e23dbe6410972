import { bytesEqual, decodeMessage, parseBlock, parseTransaction } from '@monero-node/codec';
import type { TxBlobEntry } from '@monero-node/codec';
import type { BlockMeta, StoredTx } from '@monero-node/storage';
import { RESPONSE_OBJECTS } from '../messages/blocks.ts';
import { RESPONSE_CHAIN } from '../messages/chain.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { FakeChain } from './fake-chain.ts';
import { recordedFrame } from './recorded/frames.ts';

const NOTHING = new Uint8Array(0);
const COINBASE: StoredTx = {
  id: new Uint8Array(32),
  pruned: NOTHING,
  prunable: NOTHING,
  prunableHash: new Uint8Array(32),
};

/** Returns the part of monerod's chain that its recorded answers contain. */
export function chainOfRecording(): ChainForP2p {
  const fake = new FakeChain();
  const whole = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body).blocks;
  const pruned = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objectsPruned').body).blocks;
  const entry = decodeMessage(RESPONSE_CHAIN, recordedFrame('chainEntry').body);
  const blocks = whole.map(({ block, txs }, i) => {
    const parsed = parseBlock(block);
    const [input] = parsed.block.minerTx.inputs;
    const bases = pruned[i]?.txs.map((tx) => blobOf(tx).length) ?? [];
    return {
      id: parsed.id,
      height: input?.kind === 'gen' ? input.height : -1,
      weight: pruned[i]?.block_weight ?? 0,
      bundle: { block, txs: txs.map(blobOf) },
      txs: txs.map((tx, j) => splitTx(blobOf(tx), bases[j] ?? 0)),
    };
  });
  const at = (height: number) => blocks.find((block) => block.height === height);
  const byId = (id: Uint8Array) => blocks.find((block) => bytesEqual(block.id, id));
  const meta = (height: number): BlockMeta => {
    const i = height - entry.start_height;
    return {
      ...fake.top,
      height,
      id: entry.m_block_ids[i] ?? at(height)?.id ?? fake.top.id,
      weight: Number(entry.m_block_weights[i] ?? at(height)?.weight ?? 0),
      cumulativeDifficulty: BigInt(height) + 1n,
    };
  };
  return {
    network: fake.network,
    height: entry.total_height,
    top: meta(entry.total_height - 1),
    has: (id) => (byId(id) ? 'main' : undefined),
    shortHistory: () => [],
    pruningSeed: 0,
    approveIds: ({ ids }) => ids.length,
    knownWeight: () => undefined,
    blockBundleById: (id) => byId(id)?.bundle,
    transactionBlob: () => undefined,
    weightState: () => fake.weightState(),
    addSpan: () => Promise.reject(new Error('this chain does not grow')),
    addBlock: () => Promise.reject(new Error('this chain does not grow')),
    store: {
      blockMeta: meta,
      blockMetas: (from, to) => Array.from({ length: to - from }, (_, i) => meta(from + i)),
      blockBlob: (height) =>
        height === entry.start_height + 1 ? entry.first_block : at(height)?.bundle.block,
      blockTxs: (height) => [COINBASE, ...(at(height)?.txs ?? [])],
      heightOf: (id) => {
        if (bytesEqual(id, fake.idAt(0))) return 0;
        const listed = entry.m_block_ids.findIndex((other) => bytesEqual(other, id));
        return listed < 0 ? byId(id)?.height : entry.start_height + listed;
      },
    },
  };
}

/** The bytes of a transaction of a block entry, whole or pruned. */
function blobOf(tx: Uint8Array | TxBlobEntry): Uint8Array {
  return tx instanceof Uint8Array ? tx : tx.blob;
}

function splitTx(blob: Uint8Array, base: number): StoredTx {
  const { id, prunableHash } = parseTransaction(blob);
  return { id, prunableHash, pruned: blob.subarray(0, base), prunable: blob.subarray(base) };
}
