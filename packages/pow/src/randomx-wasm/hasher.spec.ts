import { Worker } from 'node:worker_threads';
import { PowInputError } from '../errors.ts';
import { createRandomxWasmHasher } from './hasher.ts';
import type { RandomxWorkerData } from './messages.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const request = (key: string, input: string) => ({
  kind: 'randomx' as const,
  seedHash: utf8(key),
  blob: utf8(input),
});

/** Of the reference implementation's tests; compliance.spec.ts has more. */
const VECTOR = [
  'test key 000',
  'This is a test',
  '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f',
] as const;

test('the event loop keeps running while a cache is made', async () => {
  const hasher = createRandomxWasmHasher({ threads: 2 });
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const [key, input, expected] = VECTOR;
  expect(hex(await hasher.hash(request(key, input)))).toBe(expected);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
  await hasher.close();
});

test('closing ends the making of a cache', async () => {
  let worker: Worker | undefined;
  const hasher = createRandomxWasmHasher({
    threads: 1,
    startWorker: (workerData) => {
      const url = new URL(import.meta.resolve('@monero-node/pow/randomx-worker'));
      return (worker = new Worker(url, { execArgv: [], workerData }));
    },
  });
  const making = expect(hasher.hash(request('k', 'x'))).rejects.toMatchObject({ code: 'closed' });
  const waiting = expect(hasher.hash(request('l', 'x'))).rejects.toMatchObject({ code: 'closed' });
  // The worker is at work from here on: it takes its job as soon as it runs.
  await new Promise((resolve) => worker?.once('online', resolve));
  await hasher.close();
  await making;
  await waiting;
  await expect(hasher.hash(request('k', 'x'))).rejects.toMatchObject({ code: 'closed' });
  // Ended threads have no id.
  expect(worker?.threadId).toBe(-1);
});

/** Answers cache jobs, and hash jobs by the first byte of the blob: 1 throw, 2 throw once, else 32 bytes of it. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const crashes = new Int32Array(workerData);
  parentPort.on('message', ({ kind, memory, blob }) => {
    if (kind === 'cache') return parentPort.postMessage({ memory, superscalar: {} });
    if (blob[0] === 1) throw new Error('told to');
    if (blob[0] === 2 && Atomics.add(crashes, 0, 1) === 0) throw new Error('told to, once');
    parentPort.postMessage(new Uint8Array(32).fill(blob[0]));
  });
`;

function scripted(threads: number) {
  const workerData = new SharedArrayBuffer(4);
  let started: RandomxWorkerData | undefined;
  const startWorker = (data: RandomxWorkerData) => {
    started = data;
    return new Worker(SCRIPT, { eval: true, workerData, execArgv: [] });
  };
  return { hasher: createRandomxWasmHasher({ threads, startWorker }), started: () => started };
}

test('a hash is tried again after a crash and given up after two; others are not touched', async () => {
  const { hasher } = scripted(2);
  const hash = (code: number) =>
    hasher.hash({ kind: 'randomx', seedHash: utf8('s'), blob: Uint8Array.of(code) });
  const doomed = expect(hash(1)).rejects.toMatchObject({ code: 'worker-crashed' });
  expect((await Promise.all([hash(5), hash(2), hash(6)])).map(([first]) => first)).toEqual([
    ...[5, 2, 6],
  ]);
  await doomed;
  expect((await hash(7))[0]).toBe(7);
  await hasher.close();
});

test('the compiled modules are given to threads, none before there is work', async () => {
  const { hasher, started } = scripted(1);
  expect(started()).toBeUndefined();
  await hasher.hash(request('s', 'x'));
  expect(Object.keys(started() ?? {})).toEqual(['argon2d', 'machine']);
  await hasher.close();
});

test('bad input and options', async () => {
  const { hasher } = scripted(1);
  const long = { kind: 'randomx' as const, seedHash: new Uint8Array(61), blob: utf8('x') };
  await expect(hasher.hash(long)).rejects.toThrow(PowInputError);
  await hasher.close();
  expect(() => createRandomxWasmHasher({ threads: 0 })).toThrow(RangeError);
  expect(() => createRandomxWasmHasher({ caches: 0 })).toThrow(RangeError);
});
