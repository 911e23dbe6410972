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

test('keeps a stored chain that agrees with its checkpoints', async () => {
  const { store } = await grownChain();
  const network = { ...EASY, checkpoints: [point(10, idAt(10)), point(400, OTHER)] };
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(301);
});

test('pops a stored chain to two blocks below a checkpoint that it contradicts', async () => {
  const { store } = await grownChain();
  const network = {
    ...EASY,
    checkpoints: [point(10, idAt(10)), point(20, OTHER), point(30, OTHER)],
  };
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(18);
});

test('keeps genesis when the first block contradicts a checkpoint', async () => {
  const { store } = await grownChain();
  const { chain } = await startTestChain({ ...EASY, checkpoints: [point(1, OTHER)] }, store);
  expect(chain.height).toBe(1);
});

test('pops blocks that contradict a checkpoint added later, and enforces it from then on', async () => {
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

test('does not replace an existing checkpoint', async () => {
  const network = { ...EASY, checkpoints: [point(50, idAt(50))] };
  const { chain } = await startTestChain(network);
  await chain.addSpan(branch.map(bundleOf));
  expect(await chain.addCheckpoints([point(50, OTHER), point(60, idAt(60))])).toBe(301);
  expect(chain.network.checkpoints.map(({ height }) => height)).toEqual([50, 60]);
  expect(chain.contradicted([point(50, OTHER), point(60, idAt(60))])).toHaveLength(1);
});

test('rejects an alternative chain that starts below a checkpoint added later', async () => {
  const { chain } = await grownChain();
  await chain.addCheckpoints([point(60, idAt(60))]);
  const below = makeBlock(EASY, genesisOf(EASY), { timestamp: 1_600_000_000 });
  expect(await chain.addBlock(bundleOf(below))).toMatchObject({
    status: 'invalid',
    error: { code: 'below-checkpoint' },
  });
});

test('pops blocks stored before the fork table grew', async () => {
  const { store } = await grownChain();
  const [last] = EASY.hardForks.slice(-1);
  const network = withOverrides(EASY, {
    hardForks: [...EASY.hardForks, { version: (last?.version ?? 0) + 1, height: 290, time: 0 }],
  });
  const { chain } = await startTestChain(network, store);
  expect(chain.height).toBe(290);
});

test('opens an empty store', async () => {
  const { chain } = await startTestChain(
    { ...EASY, checkpoints: [point(9, OTHER)] },
    createMemoryStore(),
  );
  expect(chain.height).toBe(1);
});
