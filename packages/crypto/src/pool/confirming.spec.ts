import type { CryptoCheck } from '../checks.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { ConfirmingPool, type Disagreement } from './confirming.ts';
import { createInlineVerificationPool } from './inline.ts';
import type { VerificationPool } from './types.ts';

/** Rejects everything: the worst that a fast backend can do. */
function refusing(): VerificationPool {
  const count = (check: CryptoCheck) => {
    if (check.kind === 'clsag') return check.proofs.length;
    return check.kind === 'points' ? check.points.length : 1;
  };
  return {
    threads: 1,
    backendName: 'wasm',
    check: (check) => Promise.resolve(Array<boolean>(count(check)).fill(false)),
    close: () => Promise.resolve(),
  };
}

function setUp(fast: VerificationPool) {
  const disagreements: Disagreement[] = [];
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
  });
  return { pool, disagreements, confirmations: () => confirmations };
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
