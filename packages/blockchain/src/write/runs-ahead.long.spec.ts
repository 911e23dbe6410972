import { setImmediate as nextTurn } from 'node:timers/promises';
import { sampled } from '@monero-node/base/testing';
import { bytesEqual } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import type { PowRequest } from '@monero-node/pow';
import { createMemoryStore, StorageError, type ChainStore } from '@monero-node/storage';
import type { AddSpanOptions } from '../types.ts';
import { describeChain } from '../testing/describe-chain.ts';
import { makeBlock, type BlockChanges, type MadeBlock } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain, type TestChain } from '../testing/test-chain.ts';

const LENGTH = 80;
const BASE = LENGTH + 1;
const made = new SpendableChain(EASY);
made.mineMany(LENGTH);
const spending = made.spend([3]);

/** Returns six blocks of so many outputs that a run has two of them. Some differ, by their positions. */
function span(changes: Record<number, BlockChanges> = {}): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let i = 0; i < 6; i++) {
    const own = { coinbaseOutputs: 1500, ...changes[i] };
    blocks.push(makeBlock(EASY, blocks.at(-1) ?? made.top, own));
  }
  return blocks;
}

/** A chain with the blocks below those of `span`. */
interface Test extends TestChain {
  /** Commits since then that were begun. */
  commits: number;
  /** Called while a commit is written, with its number. */
  whileWritten: (commit: number) => Promise<void>;
}

/** Starts a chain on a store that writes while others go on, as LMDB does, or on one that does not. */
async function start(
  isSlow: boolean,
  store: ChainStore = createMemoryStore(),
  network = EASY,
): Promise<Test> {
  const test: Test = {
    ...(await startTestChain(network, store)),
    commits: 0,
    whileWritten: settle,
  };
  await test.chain.addSpan(made.blocks.map(bundleOf), { trust: true });
  test.pow.requests = 0;
  const commit = store.commit.bind(store);
  store.commit = async (change, onQueued) => {
    const number = test.commits++;
    if (isSlow) onQueued?.();
    await test.whileWritten(number);
    await commit(change);
  };
  return test;
}

/** Lets everything happen that does not wait for this. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await nextTurn();
}

/** Waits until as many proofs of work were asked for. */
async function untilAsked({ pow }: TestChain, count: number): Promise<void> {
  for (let turns = 0; pow.requests < count && turns < 5000; turns++) await nextTurn();
  expect(pow.requests).toBe(count);
}

/** Adds blocks, and returns what anybody can see of it. */
async function outcomeOf(
  test: Test,
  blocks: readonly MadeBlock[],
  options: AddSpanOptions = {},
): Promise<object> {
  const { chain, store } = test;
  const added: number[] = [];
  chain.on('blocks-added', (news) => added.push(...news.map(({ height }) => height)));
  const { results } = await chain.addSpan(blocks.map(bundleOf), options);
  const where = blocks.map(({ parsed }) => chain.has(parsed.id));
  return { results, added, where, height: chain.height, stored: describeChain(store) };
}

test('a run is verified while the one below is stored, and only once', async () => {
  const blocks = span();
  const test = await start(true);
  const seen: string[] = [];
  test.chain.on('blocks-added', (news) => {
    expect(test.store.height).toBe((news.at(-1)?.height ?? 0) + 1);
    seen.push(`added ${news.length}`);
  });
  test.whileWritten = async (commit) => {
    await untilAsked(test, Math.min(6, 4 + 2 * commit));
    expect(test.store.height).toBe(BASE + 2 * commit);
    seen.push(`written ${commit}`);
  };
  const outcome = await outcomeOf(test, blocks);
  expect(seen).toEqual(['written 0', 'added 2', 'written 1', 'added 2', 'written 2', 'added 2']);
  expect(test.pow.requests).toBe(6);
  expect(outcome).toEqual(await outcomeOf(await start(false), blocks));
});

test('its hashes are looked up before the store has the run below', async () => {
  const test = await start(true);
  const seen: string[] = [];
  test.store.lookAhead = (records) => {
    seen.push(`at ${test.store.height}: ${records.map(({ meta }) => meta.height).join()}`);
    return Promise.resolve();
  };
  // While the last run is written, there is none to look up.
  test.whileWritten = async (commit) => {
    const expected = Math.min(commit + 1, 2);
    for (let turns = 0; seen.length < expected && turns < 5000; turns++) await nextTurn();
  };
  await outcomeOf(test, span(), { trust: true });
  expect(seen).toEqual([
    `at ${BASE}: ${BASE + 2},${BASE + 3}`,
    `at ${BASE + 2}: ${BASE + 4},${BASE + 5}`,
  ]);
});

test.each([
  ['too high a reward', { surplus: 1n }, false],
  ['too high a reward, of a known block', { surplus: 1n }, true],
  ['a transaction of an earlier block', { txs: [spending] }, false],
  ['a transaction of an earlier block, of a known block', { txs: [spending] }, true],
  ['an output that is spent again', { txs: [made.spend([3])] }, false],
  ['an output that is spent again, of a known block', { txs: [made.spend([3])] }, true],
] as const)('%s is found as ever, wherever the block is', async (_, change, trust) => {
  for (const bad of sampled([2, 1, 4, 3, 5], 3)) {
    const blocks = span({ 0: { txs: [spending] }, [bad]: change });
    const expected = await outcomeOf(await start(false), blocks, { trust });
    expect(expected).toMatchObject({ height: BASE + bad, where: { [bad]: 'invalid' } });
    expect(await outcomeOf(await start(true), blocks, { trust })).toEqual(expected);
  }
});

test('a bad proof of work is confirmed once, when it is its turn, and counted once', async () => {
  const blocks = span();
  const bad = blocks[3]?.parsed.hashingBlob ?? new Uint8Array();
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
  const seen = [];
  for (const isSlow of [true, false]) {
    const test = await start(isSlow, createMemoryStore(), network);
    let asked = 0;
    let confirmed = 0;
    const hash = ({ blob }: PowRequest) => {
      asked++;
      return Promise.resolve(new Uint8Array(32).fill(bytesEqual(blob, bad) ? 255 : 0));
    };
    const confirm = (_: PowRequest, hashed: Uint8Array) => {
      confirmed++;
      return Promise.resolve(hashed);
    };
    Object.assign(test.pow, { hash, confirm });
    const outcome = await outcomeOf(test, blocks);
    expect(asked).toBe(isSlow ? 6 : 4);
    expect(confirmed).toBe(1);
    seen.push({ outcome, counters: { ...test.chain.counters } });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.outcome).toMatchObject({ height: BASE + 3, where: { 3: 'invalid' } });
});

test('an engine that erred in a guess is found out when the block turns out good', async () => {
  const blocks = span();
  const doubted = blocks[3]?.parsed.hashingBlob ?? new Uint8Array();
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
  const test = await start(true, createMemoryStore(), network);
  const wrong = new Uint8Array(32).fill(255);
  const right = new Uint8Array(32);
  let asked = 0;
  const confirmed: [Uint8Array, Uint8Array][] = [];
  const hash = ({ blob }: PowRequest) =>
    Promise.resolve(bytesEqual(blob, doubted) && asked++ === 0 ? wrong : right);
  const confirm = ({ blob }: PowRequest, hashed: Uint8Array) => {
    confirmed.push([blob, hashed]);
    return Promise.resolve(right);
  };
  Object.assign(test.pow, { hash, confirm });
  const outcome = await outcomeOf(test, blocks);
  expect(outcome).toMatchObject({ height: BASE + blocks.length });
  expect(asked).toBe(2);
  expect(confirmed).toEqual([[doubted, wrong]]);
});

/** A store that forgets spent key images when it is asked, and remembers them when blocks are stored. */
function forgetfulStore(): ChainStore {
  const target = createMemoryStore();
  return new Proxy(target, {
    get: (_, name) => {
      if (name === 'keyImageHeight') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

test('when the store refuses known blocks, whoever knows the next ones is asked only once', async () => {
  const test = await start(true, forgetfulStore());
  const first = makeBlock(EASY, made.top, { txs: [spending] });
  await test.chain.addSpan([bundleOf(first)]);
  const again = makeBlock(EASY, first, { txs: [made.spend([3])] });
  let asked = 0;
  const next = () => {
    asked++;
    return undefined;
  };
  const { results } = await test.chain.addSpan([bundleOf(again)], { trust: true, next });
  expect(results).toMatchObject([{ status: 'invalid', error: { code: 'double-spend' } }]);
  expect(asked).toBe(1);
});

test('when the store refuses a run, nothing of the next one is stored or blamed', async () => {
  const test = await start(true, forgetfulStore());
  const first = makeBlock(EASY, made.top, { txs: [spending] });
  await test.chain.addSpan([bundleOf(first)]);
  const blocks = [makeBlock(EASY, first, { coinbaseOutputs: 1500 })];
  for (const txs of [[made.spend([3])], [], []]) {
    const below = blocks.at(-1) as MadeBlock;
    blocks.push(makeBlock(EASY, below, { coinbaseOutputs: 1500, txs }));
  }
  test.pow.requests = 0;
  const asked: number[] = [];
  test.whileWritten = async () => {
    await settle();
    asked.push(test.pow.requests);
  };
  const outcome = await outcomeOf(test, blocks);
  // The next run was verified, in vain.
  expect(asked[0]).toBe(4);
  expect(outcome).toMatchObject({
    results: [{ status: 'added' }, { status: 'invalid', error: { code: 'double-spend' } }],
    added: [BASE + 1],
    where: ['main', 'invalid', undefined, undefined],
    height: BASE + 2,
  });
});

test('when the disk fails, the next run is not stored', async () => {
  const blocks = span();
  const test = await start(true);
  test.whileWritten = async () => {
    await untilAsked(test, 4);
    throw new StorageError('io', 'the disk is full');
  };
  await expect(outcomeOf(test, blocks)).rejects.toThrow('the disk is full');
  expect(test.chain.height).toBe(BASE);
  test.whileWritten = settle;
  expect(await outcomeOf(test, blocks)).toEqual(await outcomeOf(await start(false), blocks));
});

test.each([
  ['pops a block', ({ chain }: Test) => chain.popBlocks(1)],
  ['pops several', ({ chain }: Test) => chain.popBlocks(3)],
  [
    'adds a checkpoint that the next run contradicts',
    ({ chain }: Test) =>
      chain.addCheckpoints([{ height: BASE + 2, id: 'ab'.repeat(32), cumulativeDifficulty: 1n }]),
  ],
] as const)('whoever %s meanwhile has a turn between two runs', async (_, change) => {
  const blocks = span();
  const outcomes = [true, false].map(async (isSlow) => {
    const test = await start(isSlow);
    let changed: Promise<number> | undefined;
    test.whileWritten = async () => {
      await settle();
      changed ??= change(test);
    };
    const outcome = await outcomeOf(test, blocks);
    return { outcome, changed: await changed, height: test.chain.height };
  });
  const [slow, plain] = await Promise.all(outcomes);
  expect(slow).toEqual(plain);
  expect(slow?.height).toBeLessThan(BASE + 6);
});

test('a reorganization meanwhile is not undone', async () => {
  const blocks = span();
  const first = blocks[0] as MadeBlock;
  const side = [makeBlock(EASY, first, { nonce: 1 })];
  for (let i = 0; i < 2; i++) side.push(makeBlock(EASY, side.at(-1) as MadeBlock, { nonce: 1 }));
  for (const isSlow of [true, false]) {
    const test = await start(isSlow);
    let offered: Promise<unknown> | undefined;
    test.whileWritten = async () => {
      await settle();
      offered ??= Promise.all(side.map((block) => test.chain.addBlock(bundleOf(block))));
    };
    const { results } = await test.chain.addSpan(blocks.map(bundleOf));
    await offered;
    expect(results.slice(0, 2)).toMatchObject([{ status: 'added' }, { status: 'added' }]);
    // Either may come first.
    const isSide = test.chain.height === BASE + 1 + side.length;
    const twin = await start(false);
    await twin.chain.addSpan((isSide ? [first, ...side] : blocks).map(bundleOf));
    expect(describeChain(test.store)).toEqual(describeChain(twin.store));
  }
});

test('stopping waits for the run that is being stored, and no other is begun', async () => {
  const test = await start(true);
  let stopped: Promise<void> | undefined;
  const commit = test.store.commit.bind(test.store);
  test.store.commit = async (...args) => {
    stopped ??= test.chain.stop();
    await commit(...args);
  };
  await expect(test.chain.addSpan(span().map(bundleOf))).rejects.toThrow('stopping');
  await stopped;
  expect(test.chain.height).toBe(BASE + 2);
  expect(test.pow.requests).toBe(2);
});

test('the first blocks of the next span are verified too, and need not come', async () => {
  const blocks = span().map(bundleOf);
  const spans = [blocks.slice(0, 2), blocks.slice(2, 4), blocks.slice(4)];
  const test = await start(true);
  test.whileWritten = (commit) => untilAsked(test, Math.min(6, 4 + 2 * commit));
  for (const [i, each] of spans.entries()) {
    const { results } = await test.chain.addSpan(each, { next: () => spans[i + 1] });
    expect(results).toMatchObject([{ status: 'added' }, { status: 'added' }]);
  }
  expect(test.pow.requests).toBe(6);

  const other = await start(true);
  const own = { next: () => spans[1] };
  await other.chain.addSpan(spans[0] ?? [], own);
  expect(other.pow.requests).toBe(4);
  // Others come, with other options: what was verified does not count.
  const { results } = await other.chain.addSpan(spans[1] ?? [], { trust: true });
  expect(results).toMatchObject([{ status: 'added' }, { status: 'added' }]);
  expect(other.chain.counters.known).toBe(LENGTH + 2);
});

test('what was verified ahead is forgotten when a side chain grows, and not for an orphan', async () => {
  const blocks = span();
  const test = await start(true);
  const next = blocks.slice(2, 4).map(bundleOf);
  await test.chain.addSpan(blocks.slice(0, 2).map(bundleOf), { next: () => next });
  const fork = blocks[0] as MadeBlock;
  const side = makeBlock(EASY, fork, { nonce: 1 });
  expect(await test.chain.addBlock(bundleOf(side))).toMatchObject({ status: 'alternative' });
  const { requests } = test.pow;
  await test.chain.addSpan(next);
  expect(test.pow.requests).toBe(requests + 2);

  // One without a known parent says nothing.
  const last = blocks.slice(4).map(bundleOf);
  const more = await start(true);
  await more.chain.addSpan(blocks.slice(0, 4).map(bundleOf), { next: () => last });
  const orphan = makeBlock(EASY, makeBlock(EASY, fork, { nonce: 2 }), { nonce: 2 });
  expect(await more.chain.addBlock(bundleOf(orphan))).toMatchObject({ status: 'orphan' });
  await more.chain.addSpan(last);
  expect(more.pow.requests).toBe(6);
});

test('whoever fails to say what comes next says nothing about these blocks', async () => {
  const test = await start(true);
  const fails = () => {
    throw new Error('nothing was found');
  };
  const { results } = await test.chain.addSpan(span().slice(0, 2).map(bundleOf), { next: fails });
  expect(results).toMatchObject([{ status: 'added' }, { status: 'added' }]);
});

test('stopping once the next blocks are known does not wait until they are verified', async () => {
  const blocks = span().map(bundleOf);
  const test = await start(true);
  let stopped: Promise<void> | undefined;
  const next = () => {
    stopped = test.chain.stop();
    return blocks.slice(2);
  };
  await test.chain.addSpan(blocks.slice(0, 2), { next });
  await stopped;
  expect(test.pow.requests).toBe(2);
});
