import { silentLogger } from '@monero-node/base';
import type { AddBlockResult } from '../types.ts';
import { makeBlock, type MadeBlock } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const LENGTH = 80;
const made = new SpendableChain(EASY);
made.mineMany(LENGTH);
const below = made.top;
const tx = made.spend([3]);
const good = makeBlock(EASY, below, { txs: [tx] });
const next = makeBlock(EASY, good);

/** The blocks after the common ones, of which one is bad, and what is wrong with it. */
const RUNS: readonly [name: string, run: readonly MadeBlock[], position: number, code: string][] = [
  [
    'a transaction of a block before it in the span',
    [good, next, makeBlock(EASY, next, { txs: [tx] })],
    2,
    'duplicate-tx',
  ],
  [
    'such a transaction, and blocks on top',
    withNext([good, next, makeBlock(EASY, next, { txs: [tx] })]),
    2,
    'duplicate-tx',
  ],
  [
    'such a transaction and too high a reward, of which the transaction counts',
    withNext([good, makeBlock(EASY, good, { txs: [tx], surplus: 1n })]),
    1,
    'duplicate-tx',
  ],
  [
    'such a transaction, and a block on top with too high a reward',
    [good, ...badOnTop(makeBlock(EASY, good, { txs: [tx] }))],
    1,
    'duplicate-tx',
  ],
  [
    'an output spent twice',
    withNext([makeBlock(EASY, below, { txs: [made.spend([4]), made.spend([4])] })]),
    0,
    'double-spend',
  ],
];

function withNext(run: readonly MadeBlock[]): MadeBlock[] {
  return [...run, makeBlock(EASY, run.at(-1) as MadeBlock)];
}

function badOnTop(block: MadeBlock): MadeBlock[] {
  return [block, makeBlock(EASY, block, { surplus: 1n })];
}

/** Adds blocks at once; those below them are there already, with the first `stored` of the run. */
async function outcomeOf(
  run: readonly MadeBlock[],
  { trust, stored }: { trust: boolean; stored: number },
): Promise<{ results: readonly AddBlockResult[]; height: number; errors: string[] }> {
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const { chain } = await startTestChain(EASY, undefined, {}, { ...logger, child: () => logger });
  await chain.addSpan(made.blocks.map(bundleOf), { trust: true });
  await chain.addSpan(run.slice(0, stored).map(bundleOf), { trust: true });
  const { results } = await chain.addSpan(run.slice(stored).map(bundleOf), { trust });
  return { results, height: chain.height, errors };
}

test.each(RUNS)('%s: known blocks fail as unknown ones', async (_, run, position, code) => {
  for (const stored of position > 0 ? [0, 1] : [0]) {
    const unknown = await outcomeOf(run, { trust: false, stored });
    expect(await outcomeOf(run, { trust: true, stored })).toEqual(unknown);
    const { results, height, errors } = unknown;
    expect(results).toHaveLength(position - stored + 1);
    expect(results.at(-1)).toMatchObject({
      status: 'invalid',
      id: run[position]?.parsed.id,
      error: { code, height: LENGTH + 1 + position },
    });
    expect(height).toBe(LENGTH + 1 + position);
    expect(errors).toEqual([]);
  }
});

test('an output that two known blocks spend is found by the store', async () => {
  const run = withNext([makeBlock(EASY, below, { txs: [made.spend([5])] })]);
  run.push(makeBlock(EASY, run.at(-1) as MadeBlock, { txs: [made.spend([5])] }));
  const { results, errors } = await outcomeOf(run, { trust: true, stored: 0 });
  expect(results).toMatchObject([
    { status: 'added' },
    { status: 'added' },
    { status: 'invalid', error: { code: 'double-spend', height: LENGTH + 3 } },
  ]);
  expect(errors).toHaveLength(1);
});
