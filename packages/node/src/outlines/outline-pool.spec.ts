import { MachineError } from '@monero-node/base';
import { EASY, SpendableChain } from '@monero-node/blockchain/testing';
import { encodeBootstrapPackage } from '@monero-node/codec';
import { ChunkStock } from './chunk-stock.ts';
import { packJob } from './messages.ts';
import { createOutlinePool } from './outline-pool.ts';

const made = new SpendableChain(EASY);
made.mineMany(80);
const txs = [made.spend([3]), made.spend([4, 5])];
const pool = createOutlinePool({ threads: 1 });
afterAll(() => pool.close());

test('a thread outlines transactions, whole and pruned', async () => {
  const requests = txs.flatMap(({ blob, unprunedSize, prunableHash }) => [
    { blob },
    { blob: blob.subarray(0, unprunedSize), prunableHash },
  ]);
  const outlined = await pool.outline(requests);
  for (const [i, { id, prunableHash }] of txs.entries()) {
    for (const at of [2 * i, 2 * i + 1]) {
      const found = outlined.at(at, requests[at] ?? { blob: new Uint8Array() });
      expect(found).toMatchObject({ id, prunableHash, pruned: at % 2 === 1 });
    }
  }
});

test('a thread outlines packages of a bootstrap file', async () => {
  const { parsed } = made.mine(txs);
  const content = { block: parsed.blob, weight: 1, cumulativeDifficulty: 1n, generatedCoins: 1n };
  const bytes = encodeBootstrapPackage({ ...content, txs: txs.map(({ blob }) => blob) });
  const outlined = await pool.outlinePackages([bytes, Uint8Array.of(1), bytes]);
  expect(outlined.map(({ first }) => first)).toEqual([0, 2, 2]);
  for (const position of [0, 1, 2, 3]) {
    const { blob, id } = txs[position % 2] as (typeof txs)[number];
    expect(outlined[0]?.of.at(position, { blob })?.id).toEqual(id);
  }
  // The thread hashes the blocks, too.
  expect(outlined.map(({ block }) => block?.size)).toEqual([bytes.length, 0, bytes.length]);
  const { minerTx, id } = parsed;
  for (const i of [0, 2]) {
    const { of = id, at = 0 } = outlined[i]?.block?.hashes ?? {};
    const found = [0, 32, 96].map((first) => of.slice(at + first, at + first + 32));
    expect(found).toEqual([minerTx.id, minerTx.prunableHash, id]);
  }
});

test('many transactions are handed over in several messages', async () => {
  const requests = Array.from({ length: 2000 }, (_, i) => {
    const { blob, unprunedSize, prunableHash } = txs[i % 2] as (typeof txs)[number];
    return i % 3 === 0 ? { blob: blob.subarray(0, unprunedSize), prunableHash } : { blob };
  });
  const messages = [...packJob({ txs: requests }, (size) => new Uint8Array(size))];
  expect(messages.map(({ isLast }) => isLast)).toEqual([false, false, true]);
  expect(Math.max(...messages.map(({ bytes }) => bytes.length))).toBeLessThan(2 ** 20 + 10_000);
  const outlined = await pool.outline(requests);
  for (const [i, request] of requests.entries())
    expect(outlined.at(i, request)?.id).toEqual(txs[i % 2]?.id);
  const [again, none] = await Promise.all([pool.outline(requests.slice(1, 3)), pool.outline([])]);
  expect(again.at(1, requests[2] as (typeof requests)[number])?.id).toEqual(txs[0]?.id);
  expect(none.sizeOf(0)).toBe(0);
});

test('what is in shared memory is handed over as it is', async () => {
  const sizes = txs.map(({ blob }) => blob.length);
  const memory = new SharedArrayBuffer(sizes.reduce((sum, size) => sum + size + 4, 0));
  let end = 0;
  const requests = txs.map(({ blob }) => {
    const own = Buffer.from(memory, end + 4, blob.length);
    own.set(blob);
    end += 4 + blob.length;
    return { blob: own };
  });
  const refuse = () => {
    throw new Error('nothing is to be copied');
  };
  const [message, ...others] = packJob({ txs: requests }, refuse);
  expect(message?.bytes.buffer).toBe(memory);
  expect(others).toEqual([]);
  for (const order of [requests, [...requests].reverse()]) {
    const outlined = await pool.outline(order);
    for (const [i, request] of order.entries())
      expect(outlined.at(i, request)?.id).toEqual(txs[requests.indexOf(request)]?.id);
  }
  // Beside others, they are copied.
  const mixed = [...requests, ...txs.map(({ blob }) => ({ blob }))];
  const outlined = await pool.outline(mixed);
  for (const [i, request] of mixed.entries())
    expect(outlined.at(i, request)?.id).toEqual(txs[i % txs.length]?.id);
});

test('memory is used again once the thread has answered', async () => {
  const requests = txs.map(({ blob }) => ({ blob }));
  const taken: ArrayBufferLike[] = [];
  const stock = new ChunkStock();
  for (const size of [100, 200, 5_000_000, 300]) {
    const chunk = stock.take(size);
    expect(chunk.length).toBe(size);
    taken.push(chunk.buffer);
    stock.give(chunk);
  }
  expect(taken[1]).toBe(taken[0]);
  expect(taken[3]).toBe(taken[0]);
  expect(taken[2]).not.toBe(taken[0]);
  // What a job leaves in it must not be read as a part of the next one.
  for (const order of [requests, [...requests].reverse(), requests.slice(1)]) {
    const outlined = await pool.outline(order);
    for (const [i, request] of order.entries())
      expect(outlined.at(i, request)?.id).toEqual(txs.find((tx) => tx.blob === request.blob)?.id);
    expect(outlined.sizeOf(order.length)).toBe(0);
  }
});

test('nothing is outlined for those who do not want it any more, nor after the end', async () => {
  const reason = new Error('too late');
  await expect(pool.outline([], AbortSignal.abort(reason))).rejects.toBe(reason);
  await pool.close();
  await expect(pool.outline([])).rejects.toThrow(MachineError);
});
