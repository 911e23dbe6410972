import { toHex } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';

/** Returns everything that a store holds of its main chain, in a form that tests can compare. */
export function describeChain(store: ChainReader): object {
  const blocks = store.blockMetas(0, store.height).map((meta) => ({
    ...meta,
    id: toHex(meta.id),
    blob: toHex(store.blockBlob(meta.height) as Uint8Array),
    found: store.heightOf(meta.id),
    txs: store.blockTxs(meta.height).map((tx, position) => ({
      id: toHex(tx.id),
      indices: store.outputIndices(meta.height, position),
      location: store.txLocation(tx.id),
    })),
  }));
  const outputs = [...store.amounts()].map(({ amount, count }) => ({
    amount,
    count,
    items: Array.from({ length: count }, (_, i) => {
      const output = store.output(amount, i);
      return output && { ...output, key: toHex(output.key) };
    }),
  }));
  return { blocks, outputs };
}
