import { toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { describeChain } from '../testing/describe-chain.ts';
import { genesisOf, makeBlock, makeBranch, type MadeBlock } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const genesis = genesisOf(EASY);
const top = (blocks: readonly MadeBlock[]) => blocks.at(-1) as MadeBlock;
const statuses = (results: readonly { status: string }[]) => results.map(({ status }) => status);

/** Two branches that split above a common trunk. */
function fork(trunkLength: number, a: number, b: number) {
  const trunk = makeBranch(EASY, genesis, trunkLength);
  return {
    trunk,
    left: makeBranch(EASY, top(trunk), a, { nonce: 1 }),
    right: makeBranch(EASY, top(trunk), b, { nonce: 2 }),
  };
}

test('keeps the first chain on a tie, and reorganizes to one that is a block longer', async () => {
  const { chain } = await startTestChain();
  const { trunk, left, right } = fork(70, 3, 4);
  await chain.addSpan([...trunk, ...left].map(bundleOf));
  const reorgs: object[] = [];
  chain.on('reorg', (event) => reorgs.push(event));
  const tie = await chain.addSpan(right.slice(0, 3).map(bundleOf));
  expect(statuses(tie.results)).toEqual(['alternative', 'alternative', 'alternative']);
  expect(toHex(chain.topId)).toBe(toHex(top(left).parsed.id));
  const over = await chain.addBlock(bundleOf(right[3] as MadeBlock));
  expect(over).toMatchObject({ status: 'reorganized', height: 74 });
  expect(toHex(chain.topId)).toBe(toHex(top(right).parsed.id));
  expect(reorgs).toMatchObject([{ splitHeight: 71, added: 4, removed: { length: 3 } }]);
  // The old branch is kept as an alternative.
  expect(left.map(({ parsed }) => chain.has(parsed.id))).toEqual(['alt', 'alt', 'alt']);
  expect(right.map(({ parsed }) => chain.has(parsed.id))).toEqual(Array(4).fill('main'));
});

test('stores the same chain after reorganizing away and back', async () => {
  const { trunk, left, right } = fork(20, 9, 5);
  const wandering = await startTestChain();
  await wandering.chain.addSpan([...trunk, ...left.slice(0, 3)].map(bundleOf));
  await wandering.chain.addSpan(right.map(bundleOf));
  const back = await wandering.chain.addSpan(left.slice(3).map(bundleOf));
  expect(statuses(back.results)).toEqual([
    'alternative',
    'alternative',
    'reorganized',
    'added',
    'added',
    'added',
  ]);
  const straight = await startTestChain();
  await straight.chain.addSpan([...trunk, ...left].map(bundleOf));
  expect(describeChain(wandering.store)).toEqual(describeChain(straight.store));
  expect(wandering.chain.weightState()).toEqual(straight.chain.weightState());
});

test('adds a span that crosses from an alternative chain to the main chain', async () => {
  const { chain } = await startTestChain();
  const { trunk, left, right } = fork(10, 2, 6);
  await chain.addSpan([...trunk, ...left].map(bundleOf));
  const { results } = await chain.addSpan(right.map(bundleOf));
  expect(statuses(results)).toEqual([
    'alternative',
    'alternative',
    'reorganized',
    'added',
    'added',
    'added',
  ]);
});

test('rejects a heavier chain with an invalid block whole, and keeps the main chain', async () => {
  const { chain, store } = await startTestChain();
  const { trunk, left } = fork(10, 2, 0);
  await chain.addSpan([...trunk, ...left].map(bundleOf));
  const before = describeChain(store);
  const good = makeBranch(EASY, top(trunk), 1, { nonce: 9 });
  // The reward is only checked when the chain becomes the main one.
  const greedy = makeBlock(EASY, top(good), { nonce: 9, surplus: 5n });
  const above = makeBlock(EASY, greedy, { nonce: 9 });
  const { results } = await chain.addSpan([...good, greedy, above].map(bundleOf));
  expect(statuses(results)).toEqual(['alternative', 'alternative', 'invalid']);
  expect(results[2]).toMatchObject({ error: { code: 'miner-tx-amount' } });
  expect(describeChain(store)).toEqual(before);
  expect(chain.has(greedy.parsed.id)).toBe('invalid');
  expect(chain.has(above.parsed.id)).toBe('invalid');
  expect(chain.has((good[0] as MadeBlock).parsed.id)).toBe('alt');
  // The chain still grows.
  const next = await chain.addBlock(bundleOf(makeBlock(EASY, top(left))));
  expect(next.status).toBe('added');
});

test('prefers more work to more blocks under the normal difficulty rule', async () => {
  const { chain, pow } = await startTestChain(NETWORKS.regtest);
  pow.hashed = new Uint8Array(32);
  const trunk = makeBranch(NETWORKS.regtest, genesis, 30);
  await chain.addSpan(trunk.map(bundleOf));
  // Slow blocks: the difficulty stays low. Fast blocks: it rises.
  let slow = top(trunk);
  const long: MadeBlock[] = [];
  for (let i = 0; i < 30; i++) {
    slow = makeBlock(NETWORKS.regtest, slow, { nonce: 1, timestamp: slow.timestamp + 600 });
    long.push(slow);
  }
  let fast = top(trunk);
  const short: MadeBlock[] = [];
  for (let i = 0; i < 29; i++) {
    fast = makeBlock(NETWORKS.regtest, fast, { nonce: 2, timestamp: fast.timestamp + 10 });
    short.push(fast);
  }
  await chain.addSpan(long.map(bundleOf));
  expect(chain.height).toBe(61);
  const { results } = await chain.addSpan(short.map(bundleOf));
  expect(statuses(results)).toContain('reorganized');
  expect(toHex(chain.topId)).toBe(toHex(top(short).parsed.id));
  expect(chain.height).toBe(60);
});

describe('header rules of alternative blocks', () => {
  const { trunk, left } = fork(70, 3, 0);
  const parent = trunk[60] as MadeBlock;
  const added = async (block: MadeBlock) => {
    const { chain } = await startTestChain();
    await chain.addSpan([...trunk, ...left].map(bundleOf));
    return chain.addBlock(bundleOf(block));
  };

  test('reject a wrong version, timestamp and unlock time', async () => {
    const code = async (block: MadeBlock) => {
      const result = await added(block);
      return result.status === 'invalid' ? result.error.code : result.status;
    };
    expect(await code(makeBlock(EASY, parent, { nonce: 3 }))).toBe('alternative');
    expect(await code(makeBlock(EASY, parent, { majorVersion: 15 }))).toBe('wrong-version');
    expect(await code(makeBlock(EASY, parent, { timestamp: 1_000_000_000 }))).toBe(
      'timestamp-too-old',
    );
    expect(await code(makeBlock(EASY, parent, { timestamp: 1_900_000_000 }))).toBe(
      'timestamp-too-new',
    );
    expect(await code(makeBlock(EASY, parent, { unlockDelta: 1n }))).toBe('miner-tx-unlock');
  });

  test('name the height of the block in the error', async () => {
    const tooOld = await added(makeBlock(EASY, parent, { timestamp: 1_000_000_000 }));
    expect(tooOld).toMatchObject({ error: { code: 'timestamp-too-old', height: 62 } });
  });

  test('limit the bytes of a block by the weight limit of the main chain', async () => {
    const { chain } = await startTestChain();
    await chain.addSpan([...trunk, ...left].map(bundleOf));
    const { limit } = chain.weightState();
    const outputs = Math.ceil(limit / 34);
    const big = makeBlock(EASY, parent, { nonce: 5, coinbaseOutputs: outputs });
    expect(big.parsed.blob.length).toBeGreaterThan(limit + 100);
    const { results } = await chain.addSpan([bundleOf(big)]);
    expect(results).toMatchObject([{ error: { code: 'block-blob-too-big', height: 62 } }]);
    expect(chain.has(big.parsed.id)).toBe('invalid');
  });

  test('do not allow replacing genesis', async () => {
    const { chain } = await startTestChain();
    const other = { ...genesis, height: -1 };
    const result = await chain.addBlock(bundleOf(makeBlock(EASY, other, { nonce: 4 })));
    expect(['orphan', 'invalid', 'known']).toContain(result.status);
    expect(chain.height).toBe(1);
  });
});

test('reorganizes to the block of a checkpoint with less work, and drops the replaced blocks', async () => {
  const network = NETWORKS.regtest;
  const start = genesisOf(network);
  let parent = start;
  const after = (block: MadeBlock, seconds: number, nonce: number) =>
    makeBlock(network, block, { timestamp: (block.timestamp || 1_700_000_000) + seconds, nonce });
  const branch = (count: number, seconds: number, nonce: number) =>
    Array.from({ length: count }, () => (parent = after(parent, seconds, nonce)));
  const trunk = branch(10, 1, 0);
  const fast = branch(2, 1, 1);
  parent = top(trunk);
  const slow = branch(4, 100_000, 2);
  const statusesWith = async (id?: Uint8Array) => {
    const { height } = top(slow);
    const point = id && { height, id: toHex(id), cumulativeDifficulty: 0n };
    const { chain } = await startTestChain({ ...network, checkpoints: point ? [point] : [] });
    await chain.addSpan([...trunk, ...fast].map(bundleOf));
    const { results } = await chain.addSpan(slow.map(bundleOf));
    return { found: statuses(results), old: fast.map((block) => chain.has(block.parsed.id)) };
  };
  const three = ['alternative', 'alternative', 'alternative'];
  expect(await statusesWith()).toEqual({
    found: [...three, 'alternative'],
    old: ['main', 'main'],
  });
  expect(await statusesWith(top(slow).parsed.id)).toEqual({
    found: [...three, 'reorganized'],
    old: [undefined, undefined],
  });
  // Another block at the height of a checkpoint is refused, although it would only be stored as an alternative.
  expect(await statusesWith(new Uint8Array(32).fill(7))).toEqual({
    found: [...three, 'invalid'],
    old: ['main', 'main'],
  });
});
