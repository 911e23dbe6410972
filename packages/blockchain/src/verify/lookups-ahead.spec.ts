import { toHex } from '@monero-node/codec';
import { createMemoryStore, type ChainStore, type Lookups } from '@monero-node/storage';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';
import type { ChainView } from '../view/chain-view.ts';
import { LookupsAhead } from './lookups-ahead.ts';
import type { CompleteBlock } from '../types.ts';

/** Blocks after which the first 16 coinbase outputs are a ring that may be used. */
const LENGTH = 80;

const namesOf = ({ txIds, keyImages, outputs }: Lookups): string[] => [
  ...txIds.map((id) => `tx ${toHex(id)}`),
  ...keyImages.map((image) => `key image ${toHex(image)}`),
  ...[...outputs].flatMap(([amount, indices]) => indices.map((at) => `output ${amount} ${at}`)),
];

/** A store that records what is looked up without having been read ahead. */
function watched(): { store: ChainStore; missed: string[]; ahead: Set<string> } {
  const ahead = new Set<string>();
  const missed: string[] = [];
  const inner = createMemoryStore();
  const look = (name: string): void => {
    if (!ahead.has(name)) missed.push(name);
  };
  const own: Partial<ChainStore> = {
    prefetch: async (lookups) => {
      const names = namesOf(lookups());
      await new Promise((resolve) => setImmediate(resolve));
      for (const name of names) ahead.add(name);
    },
    txLocation: (id) => (look(`tx ${toHex(id)}`), inner.txLocation(id)),
    keyImageHeight: (image) => (look(`key image ${toHex(image)}`), inner.keyImageHeight(image)),
    output: (amount, index) => (look(`output ${amount} ${index}`), inner.output(amount, index)),
  };
  const store = new Proxy(inner, {
    get: (target, name) => {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { store, missed, ahead };
}

describe('what is looked up is read ahead', () => {
  const made = new SpendableChain(EASY);
  made.mineMany(LENGTH);
  const [first, second] = [made.spend([3]), made.spend([4, 5])];
  made.mine([first]);

  test('for the blocks of a span', async () => {
    const { store, missed, ahead } = watched();
    const { chain } = await startTestChain(EASY, store);
    await chain.addSpan(made.blocks.map(bundleOf));
    expect(chain.height).toBe(made.blocks.length + 1);
    expect(missed).toEqual([]);
    expect([...ahead].filter((name) => name.startsWith('output')).length).toBe(16);
  });

  test('for trusted blocks, without their ring members', async () => {
    const { store, missed, ahead } = watched();
    const { chain } = await startTestChain(EASY, store);
    await chain.addSpan(made.blocks.map(bundleOf), { trust: true });
    expect(chain.height).toBe(made.blocks.length + 1);
    expect(missed).toEqual([]);
    expect([...ahead].some((name) => name.startsWith('key image'))).toBe(true);
    expect([...ahead].some((name) => name.startsWith('output'))).toBe(false);
  });

  test('for a transaction outside blocks, while its proofs are verified', async () => {
    const { store, missed } = watched();
    const { chain } = await startTestChain(EASY, store);
    await chain.addSpan(made.blocks.map(bundleOf));
    await chain.transactionVerifier.check(second);
    expect(missed).toEqual([]);
  });
});

/** A view whose blocks take as many rows as they have transactions; it records what is read. */
function counting() {
  const begun: boolean[] = [];
  let signal: AbortSignal | undefined;
  const view: Pick<ChainView, 'prefetch' | 'countLookups'> = {
    countLookups: (txs) => txs.length,
    prefetch: (_, withRings, given) => {
      begun.push(withRings);
      signal = given;
      return Promise.resolve();
    },
  };
  return { view, begun, isStopped: () => signal?.aborted };
}

const blocksOf = (...rows: readonly number[]) =>
  rows.map((length) => ({ txs: Array.from({ length }) })) as unknown as CompleteBlock[];

describe('how far it reads ahead', () => {
  test('is bounded by rows', async () => {
    const { view, begun } = counting();
    const bundles = blocksOf(1000, 1000, 1000, 1000, 1000, 1000);
    const ahead = new LookupsAhead(view, bundles, (position) => position < 2);
    await ahead.reach(0);
    expect(begun).toEqual([false, false, true]);
    await ahead.reach(1);
    expect(begun.length).toBe(4);
    for (const position of [2, 3, 4, 5]) await ahead.reach(position);
    expect(begun.length).toBe(6);
  });

  test('does not depend on a block that takes more: it is read when its turn comes', async () => {
    const { view, begun } = counting();
    const ahead = new LookupsAhead(view, blocksOf(10, 10_000, 10, 10), () => false);
    await ahead.reach(0);
    expect(begun.length).toBe(1);
    await ahead.reach(1);
    expect(begun.length).toBe(2);
    await ahead.reach(2);
    expect(begun.length).toBe(4);
  });

  test('ends when the blocks will not be checked', async () => {
    const { view, isStopped } = counting();
    const ahead = new LookupsAhead(view, blocksOf(1, 1), () => false);
    await ahead.reach(0);
    expect(isStopped()).toBe(false);
    ahead.stop();
    expect(isStopped()).toBe(true);
  });
});
