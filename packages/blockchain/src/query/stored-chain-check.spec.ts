import { toHex } from '@monero-node/codec';
import { withOverrides, type Checkpoint } from '@monero-node/consensus';
import { createMemoryStore } from '@monero-node/storage';
import { genesisOf, makeBlock, makeBranch } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const branch = makeBranch(EASY, genesisOf(EASY), 300);
const point = (height: number, id: string): Checkpoint => ({
  height,
  id,
  cumulativeDifficulty: 0n,
});
const idAt = (height: number) => toHex(branch[height - 1]?.parsed.id ?? new Uint8Array());
const OTHER = 'ab'.repeat(32);

async function grownChain() {
  const made = await startTestChain();
  await made.chain.addSpan(branch.map(bundleOf));
  return made;
}

test('a stored chain that agrees with its checkpoints stays', async () => {
  const { store } = await grownChain();
  const network = { ...EASY, checkpoints: [point(10, idAt(10)), point(400, OTHER)] };
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(301);
});

test('a stored chain that contradicts a checkpoint ends two blocks below it', async () => {
  const { store } = await grownChain();
  const network = {
    ...EASY,
    checkpoints: [point(10, idAt(10)), point(20, OTHER), point(30, OTHER)],
  };
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(18);
});

test('a checkpoint at the first block leaves genesis', async () => {
  const { store } = await grownChain();
  const { chain } = await startTestChain({ ...EASY, checkpoints: [point(1, OTHER)] }, store);
  expect(chain.height).toBe(1);
});

test('a checkpoint added later takes off what contradicts it, and holds from then on', async () => {
  const { chain } = await grownChain();
  const removed: number[] = [];
  chain.on('popped', ({ height }: { height: number }) => void removed.push(height));
  expect(await chain.addCheckpoints([point(50, OTHER)])).toBe(48);
  expect(removed).toEqual([101, 48]);
  const { results } = await chain.addSpan(branch.slice(47).map(bundleOf));
  expect(results.at(-1)).toMatchObject({
    status: 'invalid',
    error: { code: 'checkpoint-mismatch', height: 50 },
  });
  expect(chain.height).toBe(50);
});

test('a checkpoint that is there is not replaced', async () => {
  const network = { ...EASY, checkpoints: [point(50, idAt(50))] };
  const { chain } = await startTestChain(network);
  await chain.addSpan(branch.map(bundleOf));
  expect(await chain.addCheckpoints([point(50, OTHER), point(60, idAt(60))])).toBe(301);
  expect(chain.network.checkpoints.map(({ height }) => height)).toEqual([50, 60]);
  expect(chain.contradicted([point(50, OTHER), point(60, idAt(60))])).toHaveLength(1);
});

test('an alternative chain may not begin below a checkpoint added later', async () => {
  const { chain } = await grownChain();
  await chain.addCheckpoints([point(60, idAt(60))]);
  const below = makeBlock(EASY, genesisOf(EASY), { timestamp: 1_600_000_000 });
  expect(await chain.addBlock(bundleOf(below))).toMatchObject({
    status: 'invalid',
    error: { code: 'below-checkpoint' },
  });
});

test('blocks stored before the fork table grew are taken off', async () => {
  const { store } = await grownChain();
  const [last] = EASY.hardForks.slice(-1);
  const network = withOverrides(EASY, {
    hardForks: [...EASY.hardForks, { version: (last?.version ?? 0) + 1, height: 290, time: 0 }],
  });
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(290);
});

test('an empty store is of no concern', async () => {
  const { chain } = await startTestChain(
    { ...EASY, checkpoints: [point(9, OTHER)] },
    createMemoryStore(),
  );
  expect(chain.height).toBe(1);
});
