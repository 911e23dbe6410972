import { seededRandom, Yielder } from '@monero-node/base';
import { defineTable, encodeMessage, f } from '@monero-node/codec/portable-storage';
import { BINARY_OUTPUT } from '@monero-node/rpc-schema';
import type { Lookups, OutputSlot, StoredOutput } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';
import { lookUpOutputs, renderOutputs } from './outputs.ts';

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

const hash = (random: () => number) => Uint8Array.from({ length: 32 }, () => random() * 256);

/** A chain with outputs of clear amounts and of the RCT list, some of them locked. */
function randomChain(random: () => number, count: number) {
  const places = Array.from({ length: count }, (_, i) => {
    const amount = random() < 0.5 ? 0n : BigInt(Math.floor(random() * 2 ** 53)) << 11n;
    return { amount, index: BigInt(i) };
  });
  const outputs = places.map(({ amount }): StoredOutput => {
    const unlockTime =
      [0n, 99n, 100n, 101n, 500_000_000n, 1n << 60n][Math.floor(random() * 6)] ?? 0n;
    const plain = { key: hash(random), unlockTime, height: Math.floor(random() * 2 ** 32) };
    return amount === 0n ? { ...plain, commitment: hash(random) } : plain;
  });
  const ids = places.map(() => hash(random));
  const store = {
    prefetch: () => Promise.resolve(),
    output: (_amount: bigint, index: number) => outputs[index],
    outputOrigin: (_amount: bigint, index: number) => ({
      txId: ids[index],
      txPosition: 0,
      outputPosition: 0,
    }),
    readOutput: (slot: OutputSlot, _amount: bigint, index: number) => {
      const output = outputs[index];
      if (output === undefined) return false;
      slot.height = output.height;
      slot.unlockTime = output.unlockTime;
      slot.hasCommitment = output.commitment !== undefined;
      slot.bytes.set(output.key, slot.keyAt);
      slot.bytes.set(output.commitment ?? [], slot.commitmentAt);
      if (slot.txIdAt !== undefined) slot.bytes.set(ids[index] ?? [], slot.txIdAt);
      return true;
    },
  };
  const chain = { store, height: 100, nextVersion: () => 16, adjustedTime: () => 1_700_000_000 };
  return { chain: chain as unknown as RpcChain, places };
}

test('outputs that are rendered are the bytes of the same outputs as objects', async () => {
  const random = seededRandom(7);
  const table = defineTable({ outs: f.binaryObjects(BINARY_OUTPUT) });
  const commitToAmount = (amount: bigint) => new Uint8Array(32).fill(Number(amount % 251n));
  for (const count of [0, 1, 100, 1201]) {
    const { chain, places } = randomChain(random, count);
    const services = { chain, commitToAmount };
    const holds = () => undefined;
    const context = { services, restricted: false, yielder: new Yielder(), holds };
    for (const withTxId of [true, false]) {
      const outs = await lookUpOutputs(context, places, withTxId);
      const rendered = await renderOutputs(context, places, withTxId);
      expect(encodeMessage(table, { outs: rendered })).toEqual(encodeMessage(table, { outs }));
    }
    const unknown = [...places, { amount: 0n, index: BigInt(count) }];
    await expect(renderOutputs(context, unknown, true)).rejects.toThrow('Failed');
  }
});
