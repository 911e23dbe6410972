import type { ChainStore } from '../chain-store.ts';

/** Keys to look up in addition to those that the store can list. */
export interface DumpProbes {
  keyImages?: readonly Uint8Array[];
  txIds?: readonly Uint8Array[];
  blockIds?: readonly Uint8Array[];
  properties?: readonly string[];
}

/** Everything a store shows through its contract, one line an item: one text, as Jest compares long lists slowly. */
export function dumpStore(store: ChainStore, probes: DumpProbes = {}): string {
  return [
    `height ${store.height}`,
    ...Array.from({ length: store.height }, (_, height) => dumpBlock(store, height)).flat(),
    ...dumpOutputs(store),
    ...store
      .altBlocks()
      .map((alt) => `alt ${text(alt)} ${text(store.altBlock(alt.id))}`)
      .sort(),
    ...[...store.poolTxs()].map((tx) => `pool ${text(tx)} ${text(store.poolBlob(tx.id))}`).sort(),
    ...(probes.keyImages ?? []).map((id) => `key image ${text(id)} ${store.keyImageHeight(id)}`),
    ...(probes.txIds ?? []).map((id) => `tx ${text(id)} ${text(store.txLocation(id))}`),
    ...(probes.blockIds ?? []).map((id) => `block ${text(id)} ${store.heightOf(id)}`),
    ...(probes.properties ?? []).map((name) => `property ${name} ${text(store.property(name))}`),
  ].join('\n');
}

function dumpBlock(store: ChainStore, height: number): string[] {
  const txs = store.blockTxs(height);
  return [
    `meta ${text(store.blockMeta(height))} ${text(store.blockMetas(height, height + 1))}`,
    `blob ${text(store.blockBlob(height))}`,
    ...txs.map((tx, position) =>
      [
        'tx',
        text(tx),
        text(store.tx(height, position)),
        text(store.txLocation(tx.id)),
        text(store.outputIndices(height, position)),
      ].join(' '),
    ),
  ];
}

function dumpOutputs(store: ChainStore): string[] {
  return [...store.amounts()].flatMap(({ amount, count }) => [
    `list ${amount} ${count} ${store.outputCount(amount)}`,
    ...Array.from(
      { length: store.height + 1 },
      (_, h) => `below ${h} ${store.outputCount(amount, h)}`,
    ),
    ...Array.from(
      { length: count },
      (_, index) =>
        `output ${text(store.output(amount, index))} ${text(store.outputOrigin(amount, index))}`,
    ),
  ]);
}

function text(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) => {
      if (typeof item === 'bigint') return `${item}n`;
      if (item instanceof Uint8Array) return Buffer.from(item).toString('hex');
      return item;
    }) ?? 'undefined'
  );
}
