import type { BlockRecord } from '../records.ts';
import type { StorageErrorCode } from '../storage-error.ts';
import type { StoreHarness } from './store-harness.ts';
import { probesOf } from './compliance-pop.ts';
import { dumpStore } from './dump.ts';
import { RandomChain } from './random-chain.ts';
import type { StoreChange } from '../chain-store.ts';
import { changeOf, type LooseChange } from './loose-block.ts';
import type { LooseBlock, NewOutput } from '../record-objects.ts';

interface Refusal {
  name: string;
  code: StorageErrorCode;
  /** Given the chain in the store (8 blocks) and a good continuation (4 blocks). */
  change(chain: LooseBlock[], next: LooseBlock[], spare: RandomChain): LooseChange;
  /** Spoils the record of the second appended block. */
  spoil?: (record: BlockRecord) => BlockRecord;
}

/** Replaces one block of a list by what `edit` makes of it. */
function edited(
  blocks: LooseBlock[],
  at: number,
  edit: (block: LooseBlock) => LooseBlock,
): LooseBlock[] {
  return blocks.map((block, i) => (i === at ? edit(block) : block));
}

const withKeyImage = (extra: Uint8Array) => (block: LooseBlock) => ({
  ...block,
  keyImages: [...block.keyImages, extra],
});
const withTxId = (id: Uint8Array) => (block: LooseBlock) => ({
  ...block,
  txs: block.txs.map((tx, position) => (position === 1 ? { ...tx, id } : tx)),
});
const withMeta = (meta: Partial<LooseBlock['meta']>) => (block: LooseBlock) => ({
  ...block,
  meta: { ...block.meta, ...meta },
});
const withOutput = (output: NewOutput) => (block: LooseBlock) => ({
  ...block,
  outputs: [[output], ...block.outputs.slice(1)],
});

const keyImageOf = (blocks: LooseBlock[], at: number) =>
  blocks[at]?.keyImages[0] ?? new Uint8Array(32);
const txIdOf = (blocks: LooseBlock[], at: number) => blocks[at]?.txs[1]?.id ?? new Uint8Array(32);

const key = new Uint8Array(32);
const unlockTime = 0n;

const REFUSALS: Refusal[] = [
  {
    name: 'a key image spent in the chain',
    code: 'duplicate-key-image',
    change: (chain, next) => ({ append: edited(next, 3, withKeyImage(keyImageOf(chain, 2))) }),
  },
  {
    name: 'a key image spent in the chain below the popped blocks',
    code: 'duplicate-key-image',
    change: (chain, next) => ({
      popTo: 7,
      append: edited(next, 0, (block) =>
        withMeta({ height: 7 })(withKeyImage(keyImageOf(chain, 6))(block)),
      ).slice(0, 1),
    }),
  },
  {
    name: 'a key image spent twice in the span',
    code: 'duplicate-key-image',
    change: (_, next) => ({ append: edited(next, 3, withKeyImage(keyImageOf(next, 1))) }),
  },
  {
    name: 'a key image spent twice in a block',
    code: 'duplicate-key-image',
    change: (_, next) => ({ append: edited(next, 2, withKeyImage(keyImageOf(next, 2))) }),
  },
  {
    name: 'a transaction of the chain',
    code: 'duplicate-tx',
    change: (chain, next) => ({ append: edited(next, 1, withTxId(txIdOf(chain, 5))) }),
  },
  {
    name: 'a transaction twice in the span',
    code: 'duplicate-tx',
    change: (_, next) => ({ append: edited(next, 3, withTxId(txIdOf(next, 0))) }),
  },
  {
    name: 'a block of the chain',
    code: 'duplicate-block',
    change: (chain, next) => ({
      append: edited(next, 1, withMeta({ id: chain[0]?.meta.id ?? key })),
    }),
  },
  {
    name: 'a block twice in the span',
    code: 'duplicate-block',
    change: (_, next) => ({ append: edited(next, 1, withMeta({ id: next[0]?.meta.id ?? key })) }),
  },
  { name: 'a gap', code: 'bad-height', change: (_, next) => ({ append: next.slice(1) }) },
  {
    name: 'a gap within the span',
    code: 'bad-height',
    change: (_, next) => ({ append: [next[0], next[2]].filter((block) => block !== undefined) }),
  },
  {
    name: 'a height that is taken',
    code: 'bad-height',
    change: (_, next) => ({ append: edited(next, 0, withMeta({ height: 7 })) }),
  },
  { name: 'a pop above the chain', code: 'bad-height', change: () => ({ popTo: 9 }) },
  { name: 'a pop below genesis', code: 'bad-height', change: () => ({ popTo: -1 }) },
  { name: 'a pop to no height', code: 'bad-height', change: () => ({ popTo: 2.5 }) },
  {
    name: 'a pop that is followed by a bad block',
    code: 'bad-height',
    change: (_, next) => ({ popTo: 4, append: next }),
  },
  {
    name: 'a short block id',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 3, withMeta({ id: new Uint8Array(31) })) }),
  },
  {
    name: 'a short transaction id',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 0, withTxId(new Uint8Array(0))) }),
  },
  {
    name: 'a long key image',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 0, withKeyImage(new Uint8Array(33))) }),
  },
  {
    name: 'a difficulty of more than 128 bits',
    code: 'bad-record',
    change: (_, next) => ({
      append: edited(next, 0, withMeta({ cumulativeDifficulty: 1n << 128n })),
    }),
  },
  {
    name: 'a negative weight',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 0, withMeta({ weight: -1 })) }),
  },
  {
    name: 'an RCT output without commitment',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 1, withOutput({ amount: 0n, key, unlockTime })) }),
  },
  {
    name: 'a clear output with a commitment',
    code: 'bad-record',
    change: (_, next) => ({
      append: edited(next, 1, withOutput({ amount: 1n, key, commitment: key, unlockTime })),
    }),
  },
  {
    name: 'an amount of more than 64 bits',
    code: 'bad-record',
    change: (_, next) => ({
      append: edited(next, 1, withOutput({ amount: 1n << 64n, key, unlockTime })),
    }),
  },
  {
    name: 'outputs that do not match the transactions',
    code: 'bad-record',
    change: (_, next) => ({ append: edited(next, 1, (block) => ({ ...block, outputs: [] })) }),
  },
  {
    name: 'a block without transactions',
    code: 'bad-record',
    change: (_, next) => ({
      append: edited(next, 1, (block) => ({ ...block, txs: [], outputs: [] })),
    }),
  },
  {
    name: 'a pool transaction with a short id',
    code: 'bad-record',
    change: (_, next, spare) => ({
      append: next,
      putPool: [{ ...spare.poolTx(), id: new Uint8Array(31) }],
    }),
  },
  {
    name: 'a pool record with a negative weight',
    code: 'bad-record',
    change: (_, next, spare) => {
      const tx = spare.poolTx();
      return { append: next, updatePool: [{ ...tx, meta: { ...tx.meta, weight: -1 } }] };
    },
  },
  {
    name: 'a pool transaction verified with a long digest',
    code: 'bad-record',
    change: (_, next, spare) => {
      const tx = spare.poolTx();
      const verified = { version: 16, ring: new Uint8Array(33) };
      return { append: next, putPool: [{ ...tx, meta: { ...tx.meta, verified } }] };
    },
  },
  {
    name: 'an alternative block with a short id',
    code: 'bad-record',
    change: (_, next, spare) => ({
      append: next,
      putAlt: [{ ...spare.altBlock(3), id: new Uint8Array(3) }],
    }),
  },
];

/** Arrays that do not fit each other. */
const MISFITS: [name: string, spoil: (record: BlockRecord) => BlockRecord][] = [
  ['a short list of ids', ({ txs, ...rest }) => ({ ...rest, txs: { ...txs, ids: less(txs.ids) } })],
  [
    'a prunable hash too few',
    ({ txs, ...rest }) => ({
      ...rest,
      txs: { ...txs, prunableHashes: txs.prunableHashes.subarray(32) },
    }),
  ],
  [
    'the size of a base form too few',
    ({ txs, ...rest }) => ({ ...rest, txs: { ...txs, baseSizes: txs.baseSizes.subarray(1) } }),
  ],
  [
    'a mark of dropped parts too few',
    ({ txs, ...rest }) => ({ ...rest, txs: { ...txs, dropped: txs.dropped.subarray(1) } }),
  ],
  [
    'a base form longer than its transaction',
    ({ txs, ...rest }) => ({
      ...rest,
      txs: { ...txs, baseSizes: txs.baseSizes.map((_, i) => (txs.blobs[i]?.length ?? 0) + 1) },
    }),
  ],
  [
    'outputs counted wrongly',
    ({ outputs, ...rest }) => ({
      ...rest,
      outputs: { ...outputs, counts: outputs.counts.map((count) => count + 1) },
    }),
  ],
  [
    'an unlock time too few',
    ({ outputs, ...rest }) => ({
      ...rest,
      outputs: { ...outputs, unlockTimes: outputs.unlockTimes.subarray(1) },
    }),
  ],
  [
    'a short list of output keys',
    ({ outputs, ...rest }) => ({ ...rest, outputs: { ...outputs, keys: less(outputs.keys) } }),
  ],
  [
    'a commitment too many',
    ({ outputs, ...rest }) => ({
      ...rest,
      outputs: { ...outputs, commitments: Uint8Array.of(...outputs.commitments, ...key) },
    }),
  ],
  [
    'a short list of key images',
    ({ keyImages, ...rest }) => ({ ...rest, keyImages: less(keyImages) }),
  ],
];

/** Returns all bytes but the last. */
function less(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, -1);
}

const SPOILT = MISFITS.map(([name, spoil]): Refusal => ({
  name,
  code: 'bad-record',
  change: (_, next) => ({ append: next }),
  spoil,
}));

/** Returns the change of a refusal, for a store. */
function badChange(change: LooseChange, spoil: Refusal['spoil']): StoreChange {
  const { append = [], ...rest } = changeOf(change);
  return {
    ...rest,
    append: append.map((record, i) => (i === 1 && spoil ? spoil(record) : record)),
  };
}

export function describeRefusals(current: () => StoreHarness): void {
  describe('refusals that leave the store unchanged', () => {
    test.each([...REFUSALS, ...SPOILT])('$name', async ({ code, change, spoil }) => {
      const { store, rawDump } = current();
      const random = new RandomChain('refusals');
      const chain = random.blocks(0, 8);
      const next = random.blocks(8, 4);
      const alt = random.altBlock(5);
      await store.commit(changeOf({ append: chain, putAlt: [alt] }));
      const probes = probesOf([...chain, ...next]);
      const before = [dumpStore(store, probes), rawDump()];
      const bad = change(chain, next, random);
      const whole = { putAlt: [random.altBlock(6)], removeAlt: [alt.id], ...bad };
      const refused = (async () => store.commit(badChange(whole, spoil)))();
      await expect(refused).rejects.toMatchObject({ name: 'StorageError', code });
      expect([dumpStore(store, probes), rawDump()]).toEqual(before);
      await store.commit(changeOf({ append: next }));
      expect(store.height).toBe(12);
    });
  });
}
