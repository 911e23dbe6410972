import { settle } from '@monero-node/base/testing';
import { bytesEqual } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import type { PowHasher } from '@monero-node/pow';
import { createMemoryStore, StorageError, type ChainStore } from '@monero-node/storage';
import { openBlockchain } from '../open.ts';
import { makeBlock, type BlockChanges } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, NOW } from '../testing/test-chain.ts';
import type { AddBlockOptions, AddBlockResult } from '../types.ts';

/** High enough that a hash of all ones does not meet it. */
const NETWORK = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
const [GOOD, BAD] = [new Uint8Array(32), new Uint8Array(32).fill(0xff)];
const made = new SpendableChain(NETWORK);
made.mineMany(80);
const spending = made.spend([3]);

/** A hasher whose hashes wait until they are let go. */
class HeldPow implements PowHasher {
  readonly name = 'held';
  readonly #held: (() => void)[] = [];
  isHolding = false;
  hashed = GOOD;

  hash(): Promise<Uint8Array> {
    if (!this.isHolding) return Promise.resolve(this.hashed);
    return new Promise((resolve) => this.#held.push(() => resolve(this.hashed)));
  }

  confirm(): Promise<Uint8Array> {
    return Promise.resolve(this.hashed);
  }

  letGo(): void {
    this.isHolding = false;
    for (const resolve of this.#held.splice(0)) resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Opens a chain to which a block with a transaction that is kept elsewhere is being added, and whose hash is not there yet. */
async function adding(
  changes: BlockChanges = {},
  options: AddBlockOptions = {},
  store: ChainStore = createMemoryStore(),
) {
  const pow = new HeldPow();
  const chain = await openBlockchain({ network: NETWORK, now: () => NOW }, { store, pow });
  await chain.addSpan(made.blocks.map(bundleOf), { trust: true });
  const news: string[] = [];
  chain.on('blocks-added', (blocks) => {
    news.push(...blocks.map(({ height }) => `added ${height}`));
  });
  const block = makeBlock(NETWORK, made.top, { txs: [spending], ...changes });
  pow.isHolding = true;
  let lookups = 0;
  const findTransaction = (id: Uint8Array): Uint8Array | undefined => {
    lookups++;
    return block.txs.find((tx) => bytesEqual(tx.id, id))?.blob;
  };
  const result = chain.addBlock({ block: block.parsed, txs: [] }, { findTransaction, ...options });
  // Whoever awaits it gets the error.
  result.catch(() => undefined);
  await settle();
  const { height } = chain;
  return { chain, pow, block, news, height, result, lookups: () => lookups };
}

test('a block is verified beside its proof of work, and once; nobody hears of it before', async () => {
  const { chain, pow, news, height, result, lookups } = await adding();
  const { clsags } = chain.counters;
  expect([lookups(), news, chain.height]).toEqual([1, [], height]);
  pow.letGo();
  expect(await result).toMatchObject({ status: 'added', height });
  expect([lookups(), news]).toEqual([1, [`added ${height}`]]);
  expect(chain.counters).toMatchObject({ transactions: 1, pow: 1, clsags: clsags + 1 });
});

test('what the guess has found counts for nothing when the proof of work is bad', async () => {
  const { chain, pow, block, news, height, result } = await adding();
  const before = { ...chain.counters };
  pow.hashed = BAD;
  pow.letGo();
  expect(await result).toMatchObject({ error: { code: 'bad-proof-of-work' } });
  expect([news, chain.height, chain.has(block.parsed.id)]).toEqual([[], height, 'invalid']);
  expect(chain.counters).toEqual(before);
});

test('a bad proof of work is named before another broken rule, which is named as ever', async () => {
  for (const [hashed, code] of [
    [BAD, 'bad-proof-of-work'],
    [GOOD, 'miner-tx-amount'],
  ] as const) {
    const { pow, news, result } = await adding({ surplus: 1n });
    pow.hashed = hashed;
    pow.letGo();
    expect(await result).toMatchObject({ status: 'invalid', error: { code } });
    expect(news).toEqual([]);
  }
});

test('a block is verified again when the chain has changed meanwhile, even if it is the same again', async () => {
  const { chain, pow, news, height, result, lookups } = await adding();
  await chain.popBlocks(2);
  await chain.addSpan(made.blocks.slice(-2).map(bundleOf), { trust: true });
  news.length = 0;
  pow.letGo();
  expect(await result).toMatchObject({ status: 'added', height });
  expect([lookups(), news]).toEqual([2, [`added ${height}`]]);
});

test('a block is kept beside the main chain when another one has its place meanwhile', async () => {
  const { chain, pow, block, news, result } = await adding();
  const other = makeBlock(NETWORK, made.top, { txs: [made.spend([3])], nonce: 7 });
  await chain.addSpan([bundleOf(other)], { trust: true });
  pow.letGo();
  expect(await result).toMatchObject({ status: 'alternative' });
  expect(chain.has(block.parsed.id)).toBe('alt');
  expect(news).toHaveLength(1);
});

test('a checkpoint that is added meanwhile counts', async () => {
  const { chain, pow, news, height, result } = await adding();
  await chain.addCheckpoints([{ height, id: '01'.repeat(32), cumulativeDifficulty: 1n }]);
  pow.letGo();
  expect(await result).toMatchObject({ status: 'invalid', error: { code: 'checkpoint-mismatch' } });
  expect([news, chain.height]).toEqual([[], height]);
});

test('one block is verified before its turn, and another only then', async () => {
  const { chain, pow, block, height, result } = await adding();
  const other = makeBlock(NETWORK, made.top, { txs: [spending], nonce: 7 });
  let lookups = 0;
  const findTransaction = () => {
    lookups++;
    return spending.blob;
  };
  // The guess about the first block has ended: these two begin together.
  const others = [other, makeBlock(NETWORK, made.top, { txs: [spending], nonce: 8 })].map(
    ({ parsed }) => chain.addBlock({ block: parsed, txs: [] }, { findTransaction }),
  );
  await settle();
  expect(lookups).toBe(1);
  pow.letGo();
  expect(await result).toMatchObject({ status: 'added', height });
  const statuses = (await Promise.all(others)).map(({ status }) => status);
  expect(statuses).toEqual(['alternative', 'alternative']);
  expect(chain.topId).toEqual(block.parsed.id);
});

test('nobody hears of a block that cannot be stored', async () => {
  const store = createMemoryStore();
  const { chain, pow, news, height, result } = await adding({}, {}, store);
  store.commit = () => Promise.reject(new StorageError('io', 'the disk is full'));
  pow.letGo();
  await expect(result).rejects.toThrow('the disk is full');
  expect([news, chain.height]).toEqual([[], height]);
});

test.each<[string, AddBlockOptions, number]>([
  ['of the owner is looked up at once', { client: { host: {}, isOwner: true } }, 1],
  ['of a stranger only after its proof of work', { client: { host: 'stranger' } }, 0],
])('a transaction of a block %s', async (_, options, before) => {
  const { pow, result, lookups } = await adding({}, options);
  expect(lookups()).toBe(before);
  pow.letGo();
  const { status }: AddBlockResult = await result;
  expect([status, lookups()]).toEqual(['added', 1]);
});

test('a block that lacks a transaction is no guess', async () => {
  const { pow, result } = await adding({}, { findTransaction: () => undefined });
  pow.letGo();
  expect(await result).toMatchObject({ status: 'missing-txs', missing: [0] });
});
