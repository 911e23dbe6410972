import { Yielder } from '@monero-node/base';
import type { Lookups } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';
import { lookUpOutputs } from './outputs.ts';

const KEY = new Uint8Array(32).fill(1);

/** A chain whose store records outputs that are looked up without having been read ahead. */
function watchedChain() {
  const ahead = new Set<string>();
  const missed: string[] = [];
  const asked: number[] = [];
  const store = {
    prefetch: async (lookups: () => Lookups) => {
      const { outputs } = lookups();
      const names = [...outputs].flatMap(([amount, all]) => all.map((at) => `${amount} ${at}`));
      asked.push(names.length);
      await new Promise((resolve) => setImmediate(resolve));
      for (const name of names) ahead.add(name);
    },
    output: (amount: bigint, index: number) => {
      if (!ahead.has(`${amount} ${index}`)) missed.push(`${amount} ${index}`);
      return { key: KEY, commitment: KEY, unlockTime: 0n, height: 1 };
    },
  };
  const chain = { store, height: 100, nextVersion: () => 16, adjustedTime: () => 0 };
  return { chain: chain as unknown as RpcChain, missed, asked };
}

test('outputs are read ahead of their look-up, 500 at a time', async () => {
  const { chain, missed, asked } = watchedChain();
  const requested = Array.from({ length: 1201 }, (_, i) => ({
    amount: BigInt(i % 3),
    index: BigInt(i),
  }));
  const context = {
    services: { chain, commitToAmount: () => KEY },
    restricted: false,
    yielder: new Yielder(),
    holds: () => undefined,
  };
  const found = await lookUpOutputs(context, requested, false);
  expect(found.map(({ amount }) => amount)).toEqual(requested.map(({ amount }) => amount));
  expect(missed).toEqual([]);
  expect(asked).toEqual([500, 500, 201]);
});
