import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { CryptoCheck } from '../checks.ts';
import { createBackend, describeBackend } from '../choose-backend.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { flipBit } from '../testing/mutations.ts';
import { createVerificationPool } from './create.ts';
import { VerificationPoolError } from './errors.ts';
import { createInlineVerificationPool } from './inline.ts';
import type { VerificationPool } from './types.ts';
import { WorkerVerificationPool } from './worker-verification-pool.ts';

const [one, two] = recordedTransactions();
if (!one || !two) throw new Error('no fixture');

/** A point check whose first byte is a command for a scripted worker. */
const order = (...codes: number[]): CryptoCheck => ({
  kind: 'points',
  points: codes.map((code) => Uint8Array.of(code)),
});

/**
 * A worker that obeys the first byte of each point: 0 answer false, 1 answer true, 2 throw, 3 exit,
 * 4 answer after 100 ms, 5 throw unless a worker did so before, 6 never answer.
 */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const seen = new Int32Array(workerData);
  parentPort.on('message', ({ bytes }) => {
    Atomics.add(seen, 1, 1);
    // As check-bytes.ts packs points of one byte: the length of each, four bytes, and the byte.
    const codes = Array.from({ length: bytes.length / 5 }, (_, i) => bytes[5 * i + 4]);
    if (codes.includes(2)) throw new Error('told to');
    if (codes.includes(3)) process.exit(7);
    if (codes.includes(5) && Atomics.add(seen, 0, 1) === 0) throw new Error('told to, once');
    if (codes.includes(6)) return;
    const answer = () => parentPort.postMessage({ answers: codes.map((code) => code > 0) });
    if (codes.includes(4)) setTimeout(answer, 100);
    else answer();
  });
`;

const open: VerificationPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

function track<T extends VerificationPool>(pool: T): T {
  open.push(pool);
  return pool;
}

function scriptedPool(threads: number) {
  const counters = new SharedArrayBuffer(8);
  let started = 0;
  const startWorker = () => {
    started++;
    return new Worker(SCRIPT, { eval: true, workerData: counters, execArgv: [], env: {} });
  };
  const pool = track(
    new WorkerVerificationPool({ threads, backendName: 'scripted' }, { startWorker }),
  );
  const requests = () => Atomics.load(new Int32Array(counters), 1);
  return { pool, started: () => started, requests };
}

test('what strangers send waits for everything else', async () => {
  const { pool } = scriptedPool(1);
  const finished: string[] = [];
  const check = async (name: string, from: VerificationPool, code: number) => {
    await from.check(order(code));
    finished.push(name);
  };
  await Promise.all([
    check('first', pool, 4),
    check('stranger', pool.forStrangers, 1),
    check('second', pool, 1),
    check('third', pool, 0),
  ]);
  expect(finished).toEqual(['first', 'second', 'third', 'stranger']);
});

test('a check of many parts is no reason for a warning of Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  try {
    const { pool, requests } = scriptedPool(1);
    await pool.check(order(...new Uint8Array(512 * 12)));
    expect(requests()).toBe(12);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
  }
});

describe.each<[string, string, () => VerificationPool]>([
  [
    'worker threads',
    'reference',
    () => createVerificationPool({ threads: 2, backend: 'reference' }),
  ],
  [
    'worker threads, fastest backend',
    describeBackend(createBackend()),
    () => createVerificationPool({ threads: 2 }),
  ],
  ['worker threads, wasm', 'wasm', () => createVerificationPool({ threads: 2, backend: 'wasm' })],
  ['inline', 'reference', () => createInlineVerificationPool(createReferenceBackend())],
])('verification pool: %s', (_, backendName, make) => {
  test('answers every kind of check', async () => {
    const pool = track(make());
    const clsags = two.clsags;
    const bad = clsags.map((clsag) => ({ ...clsag, message: flipBit(clsag.message, 1) }));
    const [keyImage] = clsags.map((clsag) => clsag.keyImage) as [Uint8Array];
    const spoiled = { ...one.rangeProof, A: two.rangeProof.A };
    const expectations: [CryptoCheck, boolean[]][] = [
      [{ kind: 'points', points: [keyImage, new Uint8Array(3)] }, [true, false]],
      [{ kind: 'key-images', keyImages: [new Uint8Array(32), keyImage] }, [false, true]],
      [{ kind: 'balance', statements: [one.balance, { ...one.balance, fee: 0n }] }, [true, false]],
      [{ kind: 'clsag', proofs: [...clsags, ...bad] }, [true, true, false, false]],
      [{ kind: 'bulletproof-plus', proofs: [one.rangeProof, two.rangeProof] }, [true]],
      [{ kind: 'bulletproof-plus', proofs: [one.rangeProof, spoiled] }, [false]],
      [{ kind: 'clsag', proofs: [] }, []],
      [{ kind: 'bulletproof-plus', proofs: [] }, [true]],
    ];
    const answers = await Promise.all(expectations.map(([check]) => pool.check(check)));
    expect(answers).toEqual(expectations.map(([, expected]) => expected));
    expect(pool.backendName).toBe(backendName);
  }, 120_000);

  test('leaves the bytes of the caller unchanged', async () => {
    const pool = track(make());
    const points = [one.rangeProof.A];
    await pool.check({ kind: 'points', points });
    expect(points[0]).toHaveLength(32);
    expect(await pool.check({ kind: 'points', points })).toEqual([true]);
  });

  test('rejects after close, which may be called twice', async () => {
    const pool = track(make());
    await pool.close();
    await pool.close();
    const late = pool.check({ kind: 'points', points: [one.rangeProof.A] });
    await expect(late).rejects.toMatchObject({ code: 'closed' });
    await expect(late).rejects.toBeInstanceOf(VerificationPoolError);
  });

  test('rejects with the reason of a signal that is already aborted', async () => {
    const reason = new Error('not wanted');
    const check: CryptoCheck = { kind: 'points', points: [one.rangeProof.A] };
    await expect(track(make()).check(check, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test.each([
  ['of threads', () => createVerificationPool({ threads: 1 })],
  [
    'of threads of the reference',
    () => createVerificationPool({ threads: 1, backend: 'reference' }),
  ],
  ['without threads', () => createInlineVerificationPool(createReferenceBackend())],
])('a pool %s is closed when it is disposed of', async (_title, create) => {
  const pool = create();
  await pool[Symbol.asyncDispose]();
  await expect(pool.check(order(1))).rejects.toMatchObject({ code: 'closed' });
});

describe('WorkerVerificationPool', () => {
  test('rejects a number of threads below one', () => {
    for (const threads of [0, -1, 1.5, NaN]) {
      expect(() => createVerificationPool({ threads })).toThrow(RangeError);
    }
    expect(track(createVerificationPool({ threads: 3 })).threads).toBe(3);
  });

  test('starts no worker before there is work, and no more than threads', async () => {
    const { pool, started } = scriptedPool(2);
    expect(started()).toBe(0);
    await Promise.all([0, 1, 4, 4, 4, 1].map((code) => pool.check(order(code))));
    expect(started()).toBe(2);
  });

  test('runs checks in the order they came', async () => {
    const { pool } = scriptedPool(1);
    const finished: number[] = [];
    const checks = [4, 1, 0, 4, 1].map(async (code, i) => {
      await pool.check(order(code));
      finished.push(i);
    });
    await Promise.all(checks);
    expect(finished).toEqual([0, 1, 2, 3, 4]);
  });

  test('splits a big check and joins the answers in order', async () => {
    const { pool, requests } = scriptedPool(3);
    const codes = Array.from({ length: 1700 }, (_, i): number => (i % 7 === 0 ? 0 : 1));
    codes[0] = 4; // the first part is answered last
    expect(await pool.check(order(...codes))).toEqual(codes.map((code) => code > 0));
    expect(requests()).toBe(4);
  });

  test('replaces a crashed worker and tries its job once more', async () => {
    const { pool, started } = scriptedPool(1);
    const answers = await Promise.all([pool.check(order(5)), pool.check(order(0))]);
    expect(answers).toEqual([[true], [false]]);
    expect(started()).toBe(2);
  });

  test.each([
    ['throws', 2, 'told to'],
    ['exits', 3, 'exit code 7'],
  ])('rejects a job whose worker %s twice, and only that', async (_, code, cause) => {
    const { pool, started } = scriptedPool(1);
    const results = await Promise.allSettled([code, 1, 0].map((c) => pool.check(order(c))));
    expect(results[0]).toMatchObject({
      status: 'rejected',
      reason: { name: 'VerificationPoolError', code: 'worker-crashed', cause: { message: cause } },
    });
    expect(results.slice(1).map((r) => r.status)).toEqual(['fulfilled', 'fulfilled']);
    expect(started()).toBe(3);
  });

  test('rejects when workers cannot even start, and does not go on trying', async () => {
    let started = 0;
    const startWorker = () => {
      started++;
      return new Worker('throw new Error("broken")', { eval: true, execArgv: [], env: {} });
    };
    const pool = track(
      new WorkerVerificationPool({ threads: 2, backendName: 'x' }, { startWorker }),
    );
    await expect(pool.check(order(1))).rejects.toMatchObject({ code: 'worker-crashed' });
    expect(started).toBe(2);
  });

  test('rejects a check that cannot be sent, and serves the next', async () => {
    const { pool } = scriptedPool(1);
    const odd = { kind: 'balance', statements: [{ inputs: [], outputs: [], fee: () => 0 }] };
    await expect(pool.check(odd as never)).rejects.toThrow('to a BigInt');
    expect(await pool.check(order(1))).toEqual([true]);
  });

  test('removes an aborted check from the queue and runs the others', async () => {
    const { pool, requests } = scriptedPool(1);
    const controller = new AbortController();
    const running = pool.check(order(4));
    const waiting = pool.check(order(1), controller.signal);
    const last = pool.check(order(0));
    const reason = new Error('stop');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await Promise.all([running, last])).toEqual([[true], [false]]);
    expect(requests()).toBe(2);
  });

  test('drops the answer of a running check that is aborted', async () => {
    const { pool } = scriptedPool(1);
    const controller = new AbortController();
    const running = pool.check(order(4), controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await pool.check(order(1, 0))).toEqual([true, false]);
  });

  test('close rejects running and waiting checks and ends the workers', async () => {
    const { pool } = scriptedPool(1);
    const checks = [6, 1, 1].map((code) => pool.check(order(code)));
    const settled = Promise.allSettled(checks);
    await pool.close();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
    }
  });
});

describe('a process with a pool', () => {
  const run = async (body: string) => {
    const entry = new URL('../index.js', import.meta.resolve('@monero-node/crypto/worker'));
    const script = `
      import { createVerificationPool } from ${JSON.stringify(entry.href)};
      const pool = createVerificationPool({ threads: 2 });
      const check = (n) => pool.check({ kind: 'points', points: Array(n).fill(new Uint8Array(32)) });
      ${body}`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: 20_000,
      env: {},
    });
    return stdout.trim();
  };

  test('waits for its answers, then ends although the pool is open', async () => {
    expect(await run('console.log((await check(100)).length)')).toBe('100');
  }, 120_000);

  test('ends after close, even with work under way', async () => {
    const body = `
      const settled = check(100_000).then(() => 'answered', (error) => error.code);
      await pool.close();
      console.log(await settled);`;
    expect(await run(body)).toBe('closed');
  }, 120_000);

  test('ends when no check was ever requested', async () => {
    expect(await run('console.log(pool.threads)')).toBe('2');
  }, 120_000);
});
