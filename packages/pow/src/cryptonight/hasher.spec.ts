import { Worker } from 'node:worker_threads';
import { PowInputError, PowUnavailableError } from '../errors.ts';
import type { CryptonightRequest } from '../pow-hasher.ts';
import { CRYPTONIGHT_VECTORS } from '../testing/cryptonight-vectors.ts';
import { CryptonightHasher } from './hasher.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Obeys the first byte of the blob: 1 throw, 2 exit, 3 throw unless a worker did so before, else answers it. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const crashes = new Int32Array(workerData);
  parentPort.on('message', ({ blob }) => {
    if (blob[0] === 1) throw new Error('told to');
    if (blob[0] === 2) process.exit(7);
    if (blob[0] === 3 && Atomics.add(crashes, 0, 1) === 0) throw new Error('told to, once');
    if (blob[0] !== 4) parentPort.postMessage(blob);
  });
`;

const open: CryptonightHasher[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hasher) => hasher.close()));
});

function track(hasher: CryptonightHasher): CryptonightHasher {
  open.push(hasher);
  return hasher;
}

function scripted(threads: number): CryptonightHasher {
  const workerData = new SharedArrayBuffer(4);
  return track(
    new CryptonightHasher(
      threads,
      () => new Worker(SCRIPT, { eval: true, workerData, execArgv: [] }),
    ),
  );
}

const order = (code: number): CryptonightRequest => ({
  kind: 'cryptonight',
  variant: 0,
  height: 0,
  blob: Uint8Array.of(code),
});

test('published vectors on two threads, in any order', async () => {
  const hasher = track(new CryptonightHasher(2));
  const hashes = await Promise.all(
    CRYPTONIGHT_VECTORS.map(({ variant, height, blob }) =>
      hasher.hash({ kind: 'cryptonight', variant, height, blob: Buffer.from(blob, 'hex') }),
    ),
  );
  expect(hashes.map(hex)).toEqual(CRYPTONIGHT_VECTORS.map(({ hash }) => hash));
});

test('the event loop keeps running', async () => {
  const hasher = track(new CryptonightHasher(1));
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await hasher.hash({ kind: 'cryptonight', variant: 2, height: 0, blob: new Uint8Array(76) });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(1);
});

test('bad input is refused before a thread starts', async () => {
  const hasher = track(
    new CryptonightHasher(1, () => {
      throw new Error('no thread wanted');
    }),
  );
  const short = { ...order(0), variant: 1 as const, blob: new Uint8Array(42) };
  await expect(hasher.hash(short)).rejects.toThrow(PowInputError);
});

test('a crashed worker is replaced and its hash tried once more', async () => {
  const hasher = scripted(1);
  const answers = await Promise.all([hasher.hash(order(3)), hasher.hash(order(0))]);
  expect(answers.map((answer) => answer[0])).toEqual([3, 0]);
});

test.each([
  [1, 'told to'],
  [2, 'exit code 7'],
])('order %i crashes two workers and fails alone', async (code, message) => {
  const hasher = scripted(1);
  const results = await Promise.allSettled([order(code), order(0)].map((r) => hasher.hash(r)));
  expect(results[0]).toMatchObject({
    status: 'rejected',
    reason: { name: 'PowUnavailableError', code: 'worker-crashed', cause: { message } },
  });
  expect(results[1]?.status).toBe('fulfilled');
});

test('a thread that cannot be started is a typed error', async () => {
  const hasher = track(
    new CryptonightHasher(1, () => {
      throw Object.assign(new Error('no memory'), { code: 'ENOMEM' });
    }),
  );
  await expect(hasher.hash(order(0))).rejects.toMatchObject({
    name: 'PowUnavailableError',
    cause: { code: 'ENOMEM' },
  });
});

test('close rejects what runs and what waits, and may be called twice', async () => {
  const hasher = scripted(1);
  const results = Promise.allSettled([hasher.hash(order(4)), hasher.hash(order(0))]);
  await hasher.close();
  await hasher.close();
  for (const result of await results) expect(result).toMatchObject({ reason: { code: 'closed' } });
  await expect(hasher.hash(order(0))).rejects.toThrow(PowUnavailableError);
});
