import { createMemoryStore, type ChainStore } from '@monero-node/storage';
import { makeBlock, type MadeBlock } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const LENGTH = 80;

/** A store that forgets spent key images when it is asked, and remembers them when blocks are stored. */
function forgetfulStore(): ChainStore {
  const store = createMemoryStore();
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'keyImageHeight') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A chain whose last block spends an output, and another transaction that spends it again. */
function doubleSpend() {
  const made = new SpendableChain(EASY);
  made.mineMany(LENGTH);
  const again = made.spend([3]);
  made.mine([made.spend([3])]);
  return { made, again };
}

test('a conflict found while storing is the fault of one block of the span', async () => {
  const { made, again } = doubleSpend();
  const { chain } = await startTestChain(EASY, forgetfulStore());
  await chain.addSpan(made.blocks.map(bundleOf));
  const run = [made.mine(), made.mine(), made.mine([again]), made.mine()] as const;
  const { results } = await chain.addSpan(run.map(bundleOf));
  const [good, alsoGood, culprit, next] = run;
  expect(results).toMatchObject([
    { status: 'added', id: good.parsed.id },
    { status: 'added', id: alsoGood.parsed.id },
    { status: 'invalid', id: culprit.parsed.id, error: { code: 'double-spend' } },
  ]);
  expect(chain.height).toBe(LENGTH + 4);
  expect(chain.has(culprit.parsed.id)).toBe('invalid');
  expect(chain.has(next.parsed.id)).toBeUndefined();
  // The block before it can be followed by another one.
  const other = makeBlock(EASY, alsoGood, { nonce: 5 });
  expect(await chain.addBlock(bundleOf(other))).toMatchObject({ status: 'added' });
});

test('a conflict found while reorganizing is the fault of one block of the side chain', async () => {
  const { made, again } = doubleSpend();
  const { chain } = await startTestChain(EASY, forgetfulStore());
  await chain.addSpan(made.blocks.map(bundleOf));
  const split = made.top;
  await chain.addSpan([made.mine(), made.mine()].map(bundleOf));
  const good = makeBlock(EASY, split, { nonce: 2 });
  const culprit = makeBlock(EASY, good, { nonce: 2, txs: [again] });
  const newest = makeBlock(EASY, culprit, { nonce: 2 });
  const statuses: string[] = [];
  for (const block of [good, culprit, newest] as MadeBlock[])
    statuses.push((await chain.addBlock(bundleOf(block))).status);
  expect(statuses).toEqual(['alternative', 'alternative', 'invalid']);
  expect([good, culprit, newest].map(({ parsed }) => chain.has(parsed.id))).toEqual([
    'alt',
    'invalid',
    'invalid',
  ]);
  expect(chain.height).toBe(LENGTH + 4);
});
