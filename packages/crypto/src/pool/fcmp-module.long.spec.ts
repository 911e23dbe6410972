import { createBackend } from '../choose-backend.ts';
import type { CryptoCheck } from '../checks.ts';
import type { FcmpStatement } from '../types.ts';
import type { BackendFailure, Disagreement } from './confirming.ts';
import { createVerificationPool } from './create.ts';
import { VerificationPoolError } from './errors.ts';
import { createInlineVerificationPool } from './inline.ts';
import type { VerificationPool } from './types.ts';

/**
 * A verifier that does as the first byte of each proof says: 1 holds, 0 does not, 2 is refused by all engines but the reference, at 3 all
 * but the reference throw, at 4 the reference never ends, and 5 holds in WebAssembly only.
 */
const MODULE = `data:text/javascript,${encodeURIComponent(`
  export const createFcmpVerifier = (backend) => (proofs) => proofs.every(({ proof: [first] }) => {
    while (first === 4 && backend === 'reference') continue;
    if (first === 3 && backend !== 'reference') throw new Error('told to');
    if (first === 5) return backend === 'wasm';
    return first === 1 || (first > 1 && backend === 'reference');
  });
`)}`;

const key = new Uint8Array(32);
const proofsOf = (...codes: number[]): CryptoCheck => ({
  kind: 'fcmp-plus-plus',
  proofs: codes.map((code): FcmpStatement => {
    const proof = Uint8Array.of(code);
    return { message: key, layers: 1, root: key, pseudoOuts: [key], keyImages: [key], proof };
  }),
});

const disagreements: Disagreement[] = [];
const failures: BackendFailure[] = [];
let open: VerificationPool | undefined;
function poolWith(fcmpModule: string | undefined): VerificationPool {
  disagreements.length = 0;
  failures.length = 0;
  open = createVerificationPool({
    threads: 2,
    fcmpModule,
    onDisagreement: (each) => disagreements.push(each),
    onFailure: (each) => failures.push(each),
  });
  return open;
}
afterEach(() => open?.close());

test('threads load the verifier and answer for all proofs at once', async () => {
  const pool = poolWith(MODULE);
  expect(await pool.check(proofsOf(1))).toEqual([true]);
  expect(await pool.check(proofsOf(1, 1, 1))).toEqual([true]);
  expect(await pool.check(proofsOf(1, 0, 1))).toEqual([false]);
  expect(await pool.check(proofsOf())).toEqual([true]);
  // The same threads answer other checks.
  expect(await pool.check({ kind: 'points', points: [key, Uint8Array.of(1)] })).toEqual([
    true,
    false,
  ]);
  expect(disagreements).toEqual([]);
});

test('the chosen backend is that of proofs too', async () => {
  for (const backend of ['auto', 'wasm', 'reference'] as const) {
    await using pool = createVerificationPool({ threads: 1, backend, fcmpModule: MODULE });
    expect(await pool.check(proofsOf(5))).toEqual([backend === 'wasm']);
  }
});

test('a proof is refused only when the reference refuses it too', async () => {
  const pool = poolWith(MODULE);
  expect(await pool.check(proofsOf(0))).toEqual([false]);
  expect(disagreements).toEqual([]);
  expect(await pool.check(proofsOf(2))).toEqual([true]);
  expect(disagreements).toMatchObject([{ check: proofsOf(2) }]);
});

test('the reference answers for an engine that throws, which says nothing of the proof', async () => {
  const pool = poolWith(MODULE);
  expect(await pool.check(proofsOf(3, 1))).toEqual([true]);
  expect(failures.map(({ kind }) => kind)).toEqual(['fcmp-plus-plus', 'fcmp-plus-plus']);
  expect(disagreements).toEqual([]);
});

test('a block does not wait for a second opinion of strangers that never ends; who leaves ends it', async () => {
  const pool = poolWith(MODULE);
  const strangers = pool.forStrangers;
  if (strangers === undefined) throw new Error('no pool for strangers');
  const left = new AbortController();
  const endless = strangers.check(proofsOf(4), left.signal);
  const outcome = expect(endless).rejects.toThrow('left');
  expect(await pool.check(proofsOf(0))).toEqual([false]);
  left.abort(new Error('left'));
  await outcome;
  // The thread that was busy with it is none any more.
  expect(await strangers.check(proofsOf(0))).toEqual([false]);
  expect(await strangers.check(proofsOf(2))).toEqual([true]);
  expect([disagreements.length, failures.length]).toEqual([1, 0]);
});

test.each([
  ['that does not load', 'data:text/javascript,throw new Error("broken")'],
  ['that is not given', undefined],
])('a verifier %s is a failure of the pool', async (_, url) => {
  const pool = poolWith(url);
  await expect(pool.check(proofsOf(1))).rejects.toThrow(VerificationPoolError);
  // Nothing else suffers.
  expect(await pool.check({ kind: 'points', points: [key] })).toEqual([true]);
});

test('without threads the verifier is a function', async () => {
  const backend = createBackend();
  const pool = createInlineVerificationPool(backend, (proofs) => proofs.length === 2);
  expect(await pool.check(proofsOf(1, 1))).toEqual([true]);
  expect(await pool.check(proofsOf(1))).toEqual([false]);
  await expect(createInlineVerificationPool(backend).check(proofsOf(1))).rejects.toThrow(
    'no verifier of FCMP++ proofs was given',
  );
});
