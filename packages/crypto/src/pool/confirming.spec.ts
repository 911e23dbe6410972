import { settle } from '@monero-node/base/testing';
import type { CryptoCheck } from '../checks.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { type AnyCheck, countItems, packed } from './any-check.ts';
import { CheckPacker } from './check-bytes.ts';
import {
  type Asker,
  type BackendFailure,
  ConfirmingPool,
  type Disagreement,
  MAX_STRANGERS_INPUTS,
} from './confirming.ts';
import { createInlineVerificationPool } from './inline.ts';
import type { VerificationPool } from './types.ts';

/** Rejects everything: the worst that a fast backend can do. */
function refusing(): VerificationPool {
  const count = (check: AnyCheck) =>
    check.kind === 'clsag' || check.kind === 'points' ? countItems(check) : 1;
  return {
    threads: 1,
    backendName: 'wasm',
    check: (check) => Promise.resolve(Array<boolean>(count(check)).fill(false)),
    close: () => Promise.resolve(),
  };
}

function setUp(fast: VerificationPool) {
  const disagreements: Disagreement[] = [];
  const failures: BackendFailure[] = [];
  let confirmations = 0;
  const reference = createInlineVerificationPool(createReferenceBackend());
  const pool = new ConfirmingPool(fast, {
    createReferencePool: () => ({
      ...reference,
      threads: 1,
      backendName: 'reference',
      check: (check, signal) => {
        confirmations++;
        return reference.check(check, signal);
      },
      close: () => reference.close(),
    }),
    onDisagreement: (disagreement) => disagreements.push(disagreement),
    onFailure: (failure) => failures.push(failure),
  });
  return { pool, disagreements, failures, confirmations: () => confirmations };
}

const [transaction] = recordedTransactions();
const clsag = transaction!.clsags[0]!;
const bad = { ...clsag, message: new Uint8Array(32) };

test('accepts and reports a rejection that the reference does not confirm', async () => {
  const { pool, disagreements } = setUp(refusing());
  expect(await pool.check({ kind: 'clsag', proofs: [clsag] })).toEqual([true]);
  expect(disagreements).toEqual([
    { backendName: 'wasm', check: { kind: 'clsag', proofs: [clsag] } },
  ]);
  expect(await pool.check({ kind: 'bulletproof-plus', proofs: [transaction!.rangeProof] })).toEqual(
    [true],
  );
  expect(disagreements).toHaveLength(2);
  await pool.close();
});

test('reports the proof of a packed check as an object', async () => {
  const { pool, disagreements } = setUp(refusing());
  const check = { kind: 'clsag', proofs: [clsag, bad] } as const;
  expect(await pool.check(packed(check, new CheckPacker()))).toEqual([true, false]);
  expect(disagreements).toEqual([
    { backendName: 'wasm', check: { kind: 'clsag', proofs: [clsag] } },
  ]);
  await pool.close();
});

test('confirms one rejection and returns the others unconfirmed', async () => {
  const { pool, disagreements, confirmations } = setUp(refusing());
  const answers = await pool.check({ kind: 'clsag', proofs: [clsag, bad, bad, bad] });
  expect(answers).toEqual([true, false, false, false]);
  expect(confirmations()).toBe(2);
  expect(disagreements).toHaveLength(1);
});

test('returns the rejection of a batch unconfirmed, so that the caller halves it', async () => {
  const { pool, confirmations } = setUp(refusing());
  const { rangeProof } = transaction!;
  const check: CryptoCheck = { kind: 'bulletproof-plus', proofs: [rangeProof, rangeProof] };
  expect(await pool.check(check)).toEqual([false]);
  expect(confirmations()).toBe(0);
});

test('does not ask the reference when nothing is rejected', async () => {
  const { pool, confirmations } = setUp(createInlineVerificationPool(createReferenceBackend()));
  expect(await pool.check({ kind: 'points', points: [clsag.keyImage] })).toEqual([true]);
  expect(confirmations()).toBe(0);
});

/** Fails on the checks at these positions, and answers the others like the reference. */
function failing(positions: readonly number[]): VerificationPool & { readonly sizes: number[] } {
  const reference = createInlineVerificationPool(createReferenceBackend());
  const sizes: number[] = [];
  return {
    threads: 1,
    backendName: 'wasm',
    sizes,
    check: (check) => {
      sizes.push(countItems(check));
      if (positions.includes(sizes.length - 1)) return Promise.reject(new Error('it crashed'));
      return reference.check(check);
    },
    close: () => reference.close(),
  };
}

test('a check on which the fast backend fails is asked again in parts', async () => {
  const fast = failing([0, 2]);
  const { pool, failures, confirmations } = setUp(fast);
  const points = Array<Uint8Array>(40).fill(clsag.keyImage);
  points[39] = new Uint8Array(32).fill(0xff);
  const answers = await pool.check({ kind: 'points', points });
  expect(answers).toEqual([...Array<boolean>(39).fill(true), false]);
  expect(fast.sizes).toEqual([40, 16, 16, 8]);
  expect(failures).toMatchObject([
    { backendName: 'wasm', kind: 'points' },
    { backendName: 'wasm', kind: 'points' },
  ]);
  // The part that failed twice, and the refusal.
  expect(confirmations()).toBe(2);
});

test('a failure on a batch of range proofs is made up for as well', async () => {
  const { pool, failures } = setUp(failing([0, 1]));
  const { rangeProof } = transaction!;
  const check: CryptoCheck = { kind: 'bulletproof-plus', proofs: [rangeProof, rangeProof] };
  expect(await pool.check(check)).toEqual([true]);
  expect(failures).toHaveLength(2);
});

test('closing and aborting are no failures', async () => {
  const { pool, failures } = setUp(failing([0, 1, 2, 3]));
  const check: CryptoCheck = { kind: 'points', points: [clsag.keyImage] };
  await expect(pool.check(check, AbortSignal.abort())).rejects.toThrow('it crashed');
  await pool.close();
  await expect(pool.check(check)).rejects.toThrow('it crashed');
  expect(failures).toEqual([]);
});

test('a batch that was refused wrongly is reported', () => {
  const { pool, disagreements } = setUp(refusing());
  const check: CryptoCheck = { kind: 'bulletproof-plus', proofs: [] };
  pool.refusedWrongly(check);
  expect(disagreements).toEqual([{ backendName: 'wasm', check }]);
});

/** A pool whose references answer when told to, and what they were asked. */
function withSlowReferences(fast = refusing()) {
  const asked: Record<Asker, (() => void)[]> = { blocks: [], strangers: [] };
  const pool = new ConfirmingPool(fast, {
    createReferencePool: (asker) => ({
      threads: 1,
      backendName: 'reference',
      check: (_, signal) =>
        new Promise((resolve, reject) => {
          asked[asker].push(() => resolve([false]));
          if (signal?.aborted === true) reject(signal.reason as Error);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      close: () => Promise.resolve(),
    }),
    onDisagreement: () => undefined,
    onFailure: () => undefined,
  });
  return { pool, asked, strangers: pool.forStrangers };
}

/** A check of an FCMP++ proof of so many inputs. */
function proofOf(inputs: number): CryptoCheck {
  const elements = Array.from({ length: inputs }, () => new Uint8Array(32));
  const [message, root, proof] = [new Uint8Array(32), new Uint8Array(32), new Uint8Array(0)];
  const proofs = [{ message, root, layers: 1, pseudoOuts: elements, keyImages: elements, proof }];
  return { kind: 'fcmp-plus-plus', proofs };
}

describe('second opinions for strangers', () => {
  test('blocks do not wait for them', async () => {
    const { pool, asked, strangers } = withSlowReferences();
    const first = strangers.check(proofOf(128));
    const block = pool.check(proofOf(1));
    await settle();
    expect([asked.strangers.length, asked.blocks.length]).toEqual([1, 1]);
    asked.blocks[0]?.();
    expect(await block).toEqual([false]);
    asked.strangers[0]?.();
    expect(await first).toEqual([false]);
  });

  test('inputs that wait are bounded, those of blocks are not', async () => {
    const { pool, asked, strangers } = withSlowReferences();
    const waiting = [strangers.check(proofOf(MAX_STRANGERS_INPUTS - 1))];
    await settle();
    const busy = { name: 'VerificationPoolError', code: 'busy' };
    await expect(strangers.check(proofOf(2))).rejects.toMatchObject(busy);
    waiting.push(strangers.check(proofOf(1)));
    await settle();
    await expect(strangers.check({ kind: 'clsag', proofs: [bad] })).rejects.toMatchObject(busy);
    const blocks = [pool.check(proofOf(128)), pool.check(proofOf(128))];
    await settle();
    for (const answer of [...asked.strangers, ...asked.blocks]) answer();
    expect(await Promise.all([...waiting, ...blocks])).toEqual(Array(4).fill([false]));
    // There is room again, and one that waits alone may have more.
    const large = strangers.check(proofOf(128));
    await settle();
    await expect(strangers.check(proofOf(1))).rejects.toMatchObject(busy);
    asked.strangers.at(-1)?.();
    expect(await large).toEqual([false]);
  });

  test('one who leaves makes room, and a valid proof of his is accepted', async () => {
    const { asked, strangers } = withSlowReferences();
    const left = new AbortController();
    const waiting = strangers.check(proofOf(128), left.signal);
    await settle();
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    const next = strangers.check(proofOf(128));
    await settle();
    asked.strangers.at(-1)?.();
    expect(await next).toEqual([false]);
    const sound = withSlowReferences(createInlineVerificationPool(createReferenceBackend()));
    const check: CryptoCheck = { kind: 'clsag', proofs: [clsag] };
    expect(await sound.strangers.check(check, left.signal)).toEqual([true]);
  });

  test('a check on which the engine fails has room for all of its parts, or for none', async () => {
    const fast = { ...refusing(), check: () => Promise.reject(new Error('it crashed')) };
    const { asked, strangers } = withSlowReferences(fast);
    const many = strangers.check({ kind: 'clsag', proofs: Array(64).fill(clsag) });
    await settle();
    expect(asked.strangers).toHaveLength(4);
    await expect(strangers.check(proofOf(1))).rejects.toMatchObject({ code: 'busy' });
    for (const answer of asked.strangers) answer();
    await settle();
    // A refusal is confirmed, whoever made it.
    asked.strangers[4]?.();
    expect(await many).toEqual(Array(4).fill(false));
  });
});
