import { silentLogger } from '@monero-node/base';
import { parseTransaction, toHex, type ParsedTransaction } from '@monero-node/codec';
import { withOverrides } from '@monero-node/consensus';
import { createInlineVerificationPool, createBackend } from '@monero-node/crypto';
import {
  createMemoryStore,
  type BlockMeta,
  type ChainReader,
  type StoredTx,
} from '@monero-node/storage';
import { openBlockchain } from '../open.ts';
import { bundleOf, EASY, FixedPow, NOW, SpendableChain } from '../testing/index.ts';
import { verifyStored, type VerifiedStep, type VerifyStoredOptions } from './verify-stored.ts';

const backend = createBackend();
const verifier = createInlineVerificationPool(backend);
/** Finds nothing wrong. */
const blind = {
  ...verifier,
  check: (...[check]: Parameters<typeof verifier.check>) =>
    verifier.check(check).then((answers) => answers.map(() => true)),
};

/** Returns the transaction with a byte of the last ring signature changed: four keys before the end is a scalar of it. */
function withBadSignature(tx: ParsedTransaction): ParsedTransaction {
  const blob = Uint8Array.from(tx.blob);
  const at = blob.length - 4 * 32;
  blob[at] = (blob[at] ?? 0) ^ 1;
  return parseTransaction(blob);
}

/** Returns a store with 90 empty blocks, then one for each list of transactions; nothing has verified their proofs. */
async function storeWith(
  ...blocks: ((source: SpendableChain) => ParsedTransaction[])[]
): Promise<ChainReader> {
  const source = new SpendableChain(EASY, 'verify stored');
  source.mineMany(90);
  for (const txsOf of blocks) source.mine(txsOf(source));
  const store = createMemoryStore();
  const chain = await openBlockchain(
    { network: EASY, now: () => NOW },
    { store, verifier: blind, backend, pow: new FixedPow(), logger: silentLogger },
  );
  await chain.addSpan(source.blocks.map(bundleOf));
  expect(chain.height).toBe(source.blocks.length + 1);
  await chain.stop();
  return store;
}

async function verify(
  store: ChainReader & { readonly height?: number },
  changes: Partial<VerifyStoredOptions> = {},
): Promise<VerifiedStep> {
  const total = {
    height: 0,
    verified: 0,
    pruned: 0,
    faults: [] as VerifiedStep['faults'][number][],
  };
  const options = {
    network: EASY,
    store,
    verifier,
    pow: undefined,
    now: () => NOW,
    from: 0,
    to: store.height,
    commitToAmount: (amount: bigint) => backend.commitToAmount(amount),
    ...changes,
  };
  for await (const step of verifyStored(options)) {
    total.height = step.height;
    total.verified += step.verified;
    total.pruned += step.pruned;
    total.faults.push(...step.faults);
  }
  return total;
}

/** Returns the store with other transactions in one block. */
function withTxs(store: ChainReader, at: number, change: (tx: StoredTx) => StoredTx): ChainReader {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'blockTxs')
        return (height: number) => {
          const [first, ...txs] = target.blockTxs(height);
          return first && height === at ? [first, ...txs.map(change)] : target.blockTxs(height);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const SPENDING = 91;

test('a good chain has no faults, with and without proof of work', async () => {
  const store = await storeWith(
    (source) => [source.spend([2]), source.spend([3, 4])],
    () => [],
  );
  expect(await verify(store)).toEqual({ height: 93, verified: 92, pruned: 0, faults: [] });
  const pow = new FixedPow();
  const step = { height: 60, verified: 10, pruned: 0, faults: [] };
  expect(await verify(store, { pow, from: 50, to: 60 })).toEqual(step);
  expect(pow.requests).toBe(10);
});

test('every transaction with a bad signature is named, and the blocks above are verified too', async () => {
  const bad: string[] = [];
  const badSpend = (source: SpendableChain, height: number): ParsedTransaction => {
    const tx = withBadSignature(source.spend([height]));
    bad.push(toHex(tx.id));
    return tx;
  };
  const store = await storeWith(
    (source) => [source.spend([2]), badSpend(source, 3)],
    (source) => [source.spend([4])],
    (source) => [badSpend(source, 5)],
  );
  const { faults, height, verified } = await verify(store);
  expect([height, verified]).toEqual([94, 91]);
  expect(faults.map((fault) => [fault.height, fault.txId])).toEqual([
    [SPENDING, bad[0]],
    [SPENDING + 2, bad[1]],
  ]);
  expect(faults[0]?.problem).toMatch(/signature/i);
  expect((await verify(store, { from: SPENDING + 1, to: SPENDING + 2 })).faults).toEqual([]);
});

test('a byte of a prunable part that was changed in the store is found', async () => {
  const store = await storeWith((source) => [source.spend([2]), source.spend([3])]);
  const [, , second] = store.blockTxs(SPENDING);
  const damaged = withTxs(store, SPENDING, (tx) => {
    if (tx.id !== second?.id && toHex(tx.id) !== toHex(second?.id ?? new Uint8Array())) return tx;
    const prunable = Uint8Array.from(tx.prunable);
    prunable[100] = (prunable[100] ?? 0) ^ 1;
    return { ...tx, prunable };
  });
  const { faults } = await verify(damaged);
  expect(faults).toMatchObject([{ height: SPENDING, txId: toHex(second?.id ?? new Uint8Array()) }]);
});

test('blocks whose transactions are pruned are counted, not verified', async () => {
  const store = await storeWith(
    (source) => [withBadSignature(source.spend([2]))],
    () => [],
  );
  const empty = { prunable: new Uint8Array(), dropped: true as const };
  const pruned = withTxs(store, SPENDING, (tx) => ({ ...tx, ...empty }));
  expect(await verify(pruned)).toEqual({ height: 93, verified: 91, pruned: 1, faults: [] });
});

test('figures that a synchronization would compute otherwise are faults', async () => {
  const store = await storeWith(() => []);
  const harder = withOverrides(EASY, { fixedDifficulty: 2n });
  const { faults } = await verify(store, { network: harder, from: 10, to: 11 });
  expect(faults).toMatchObject([
    {
      height: 10,
      txId: undefined,
      problem: expect.stringContaining('cumulativeDifficulty') as string,
    },
  ]);
});

test('a wrong running total is a fault of its block and of the next one only', async () => {
  const store = await storeWith(() => []);
  const wrong = (meta: BlockMeta): BlockMeta =>
    meta.height === 20 ? { ...meta, generatedCoins: meta.generatedCoins + 1n } : meta;
  const damaged = new Proxy(store, {
    get: (target, name) => {
      if (name === 'blockMeta')
        return (height: number) => {
          const meta = target.blockMeta(height);
          return meta && wrong(meta);
        };
      if (name === 'blockMetas')
        return (from: number, to: number) => target.blockMetas(from, to).map(wrong);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  for (const from of [10, 20, 21]) {
    const { faults } = await verify(damaged, { from, to: 40 });
    expect(faults.map(({ height }) => height)).toEqual(from === 21 ? [21] : [20, 21]);
  }
});

test('a proof of work that is too small is a fault', async () => {
  const store = await storeWith(() => []);
  const harder = withOverrides(EASY, { fixedDifficulty: 2n });
  const pow = new FixedPow();
  pow.hashed = new Uint8Array(32).fill(0xff);
  const { faults } = await verify(store, { network: harder, pow, from: 10, to: 12 });
  expect(faults.map(({ height }) => height)).toEqual([10, 11]);
  expect(faults[0]?.problem).toMatch(/proof of work|difficulty/i);
});
