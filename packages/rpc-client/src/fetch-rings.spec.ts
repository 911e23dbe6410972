import type { TxInput } from '@monero-node/codec';
import { fetchRings } from './fetch-rings.ts';
import { RpcAnswerError } from './errors.ts';
import type { RpcClient } from './client.ts';

type Binary = RpcClient['binary'];
interface Asked {
  readonly amount: bigint;
  readonly index: bigint;
}

const bytes = (value: bigint): Uint8Array => new Uint8Array(32).fill(Number(value % 256n));

/** A client whose outputs have their index as key and their amount as commitment, and what it was asked for. */
function madeUpClient(change: (outs: object[]) => object[] = (outs) => outs) {
  const calls: Asked[][] = [];
  const binary = (_path: string, { outputs }: { outputs: Asked[] }) => {
    calls.push(outputs);
    const outs = outputs.map(({ amount, index }) => ({ key: bytes(index), mask: bytes(amount) }));
    return Promise.resolve({ outs: change(outs) });
  };
  return { calls, client: { binary: binary as unknown as Binary } };
}

const spending = (amount: bigint, keyOffsets: bigint[]): TxInput => ({
  kind: 'key',
  amount,
  keyOffsets,
  keyImage: new Uint8Array(32),
});
const transaction = (...inputs: TxInput[]) =>
  ({ tx: { inputs } }) as unknown as Parameters<typeof fetchRings>[1];

test('rings are in the order of inputs and offsets', async () => {
  const { client, calls } = madeUpClient();
  const inputs = [spending(0n, [5n, 1n, 2n]), spending(7n, [3n]), spending(0n, [1n, 1n])];
  const rings = await fetchRings(client, transaction(...inputs));
  expect(calls).toEqual([
    [
      { amount: 0n, index: 5n },
      { amount: 0n, index: 6n },
      { amount: 0n, index: 8n },
      { amount: 7n, index: 3n },
      { amount: 0n, index: 1n },
      { amount: 0n, index: 2n },
    ],
  ]);
  expect(rings.map((ring) => ring.map(({ key, commitment }) => [key[0], commitment[31]]))).toEqual([
    [
      [5, 0],
      [6, 0],
      [8, 0],
    ],
    [[3, 7]],
    [
      [1, 0],
      [2, 0],
    ],
  ]);
});

test('a transaction that spends nothing asks for nothing', async () => {
  const { client, calls } = madeUpClient();
  expect(await fetchRings(client, transaction({ kind: 'gen', height: 1 }))).toEqual([]);
  expect(calls).toEqual([]);
});

test('more than a restricted server returns is asked for in parts', async () => {
  const { client, calls } = madeUpClient();
  const inputs = Array.from({ length: 3 }, () => spending(0n, Array<bigint>(4000).fill(1n)));
  const rings = await fetchRings(client, transaction(...inputs));
  expect(calls.map(({ length }) => length)).toEqual([5000, 5000, 2000]);
  expect(rings.map((ring) => [ring.length, ring[0]?.key[0], ring[3999]?.key[0]])).toEqual(
    Array(3).fill([4000, 1, 4000 % 256]),
  );
});

test('an answer with another number of outputs is refused', async () => {
  for (const change of [(outs: object[]) => outs.slice(1), (outs: object[]) => [...outs, {}]]) {
    const { client } = madeUpClient(change);
    await expect(fetchRings(client, transaction(spending(0n, [1n, 2n])))).rejects.toThrow(
      new RpcAnswerError(`${change([{}, {}]).length} outputs, not 2`),
    );
  }
});
