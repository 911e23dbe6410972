import { Worker } from 'node:worker_threads';
import { keepBusy } from '../testing/keep-busy.ts';
import { WorkerPool, type WorkerPoolFailure } from './worker-pool.ts';

/** Returns the number it is sent; 0 throws, -1 exits, -2 never answers, -3 throws unless a worker has done so before. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const counters = new Int32Array(workerData);
  parentPort.on('message', (order) => {
    Atomics.add(counters, 1, 1);
    if (order === 0) throw new Error('told to');
    if (order === -1) process.exit(7);
    if (order === -2) return;
    if (order === -3 && Atomics.add(counters, 0, 1) === 0) throw new Error('told to, once');
    if (order === 100) setTimeout(() => parentPort.postMessage(order), 100);
    else parentPort.postMessage(order);
  });
`;

class TestError extends Error {
  readonly failure: WorkerPoolFailure;

  constructor(failure: WorkerPoolFailure, cause: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

function createPool({
  threads,
  script = SCRIPT,
  answerMilliseconds,
  endAborted,
}: {
  threads: number;
  endAborted?: boolean;
  script?: string;
  answerMilliseconds?: number;
}) {
  const counters = new SharedArrayBuffer(8);
  let started = 0;
  const pool = new WorkerPool<unknown, number>(
    {
      threads,
      ...(answerMilliseconds !== undefined && { answerMilliseconds }),
      ...(endAborted !== undefined && { endAborted }),
    },
    {
      startWorker: () => {
        started++;
        return new Worker(script, { eval: true, workerData: counters, execArgv: [], env: {} });
      },
      createError: (failure, cause) => new TestError(failure, cause),
    },
  );
  open.push(pool);
  return {
    pool,
    started: () => started,
    requests: () => Atomics.load(new Int32Array(counters), 1),
  };
}

test('needs at least one thread', () => {
  for (const threads of [0, -1, 1.5, NaN]) {
    expect(() => createPool({ threads })).toThrow(RangeError);
  }
});

test('starts no worker before there is work, and never more than its threads', async () => {
  const { pool, started } = createPool({ threads: 2 });
  expect(started()).toBe(0);
  expect(await Promise.all([1, 2, 100, 100, 5].map((n) => pool.run(n)))).toEqual([
    1, 2, 100, 100, 5,
  ]);
  expect(started()).toBe(2);
});

test('works first in, first out', async () => {
  const { pool } = createPool({ threads: 1 });
  const finished: number[] = [];
  await Promise.all([100, 1, 2].map(async (n) => finished.push(await pool.run(n))));
  expect(finished).toEqual([100, 1, 2]);
});

test('replaces a crashed worker and tries its job once more', async () => {
  const { pool, started } = createPool({ threads: 1 });
  expect(await Promise.all([pool.run(-3), pool.run(1)])).toEqual([-3, 1]);
  expect(started()).toBe(2);
});

test.each([
  ['throws', 0, 'told to'],
  ['exits', -1, 'exit code 7'],
])('rejects only the job whose worker %s twice', async (_, order, cause) => {
  const { pool, started } = createPool({ threads: 1 });
  const results = await Promise.allSettled([order, 1, 2].map((n) => pool.run(n)));
  expect(results[0]).toMatchObject({
    status: 'rejected',
    reason: { failure: 'worker-crashed', cause: { message: cause } },
  });
  expect(results.slice(1).map((result) => result.status)).toEqual(['fulfilled', 'fulfilled']);
  expect(started()).toBe(3);
});

test('stops trying when workers crash at their start', async () => {
  const { pool, started } = createPool({ threads: 2, script: 'throw new Error("broken")' });
  await expect(pool.run(1)).rejects.toMatchObject({ failure: 'worker-crashed' });
  expect(started()).toBe(2);
});

test('rejects a request that cannot be sent, and works on', async () => {
  const { pool } = createPool({ threads: 1 });
  await expect(pool.run(() => 1)).rejects.toMatchObject({ failure: 'dispatch-failed' });
  expect(await pool.run(1)).toBe(1);
});

test('rejects a job whose signal is aborted, waiting or running; the others go on', async () => {
  const { pool, requests } = createPool({ threads: 1 });
  const reason = new Error('stop');
  const controller = new AbortController();
  const running = pool.run(100, controller);
  const waiting = pool.run(1, controller);
  const last = pool.run(2);
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(pool.run(3, controller)).rejects.toBe(reason);
  expect(await last).toBe(2);
  expect(requests()).toBe(2);
});

test('a patient job waits for all others, whenever they come', async () => {
  const { pool } = createPool({ threads: 1 });
  const finished: number[] = [];
  const run = async (order: number, isPatient = false) => {
    finished.push(await pool.run(order, { isPatient }));
  };
  const all = [run(100), run(1, true), run(2, true), run(3), run(4)];
  await all[0];
  all.push(run(5));
  await Promise.all(all);
  expect(finished).toEqual([100, 3, 4, 5, 1, 2]);
});

test('a patient job whose worker crashed waits for all others again', async () => {
  const { pool } = createPool({ threads: 1 });
  const finished: number[] = [];
  const run = async (order: number, isPatient = false) => {
    finished.push(await pool.run(order, { isPatient }));
  };
  await Promise.all([run(-3, true), run(1), run(2)]);
  expect(finished).toEqual([1, 2, -3]);
});

test('ends the worker of an aborted job if told to, and only that one', async () => {
  const { pool, started } = createPool({ threads: 1, endAborted: true });
  const controller = new AbortController();
  // It would never answer.
  const hanging = pool.run(-2, controller);
  const waiting = pool.run(1, controller);
  const last = pool.run(2);
  controller.abort(new Error('stop'));
  await expect(hanging).rejects.toThrow('stop');
  await expect(waiting).rejects.toThrow('stop');
  expect(await last).toBe(2);
  expect(started()).toBe(2);
  const answered = new AbortController();
  expect(await pool.run(3, answered)).toBe(3);
  answered.abort();
  expect(await pool.run(4)).toBe(4);
  expect(started()).toBe(2);
});

test('hands over the buffers that pack names', async () => {
  const pool = new WorkerPool<number, number>(
    { threads: 1 },
    {
      startWorker: () =>
        new Worker(
          `const { parentPort } = require('node:worker_threads');
           parentPort.on('message', (buffer) => parentPort.postMessage(buffer.byteLength));`,
          { eval: true, execArgv: [], env: {} },
        ),
      pack: (size) => {
        const buffer = new ArrayBuffer(size);
        return [{ message: buffer, transfer: [buffer] }];
      },
      createError: (failure, cause) => new TestError(failure, cause),
    },
  );
  open.push(pool);
  expect(await pool.run(123)).toBe(123);
});

describe('a request of several messages', () => {
  /** Adds up the numbers of a request; 0 throws. */
  const SUM = `
    const { parentPort } = require('node:worker_threads');
    let sum = 0;
    parentPort.on('message', ({ number, isLast }) => {
      if (number === 0) throw new Error('told to');
      sum += number;
      if (!isLast) return;
      parentPort.postMessage(sum);
      sum = 0;
    });`;

  /** Posts each number as one message, which takes longer than a slice; a function cannot be posted. */
  function* pack(numbers: readonly unknown[]) {
    for (const [i, number] of numbers.entries()) {
      keepBusy(11);
      yield { message: { number, isLast: i === numbers.length - 1 }, transfer: [] };
    }
  }

  function createSumPool() {
    const pool = new WorkerPool<readonly unknown[], number>(
      { threads: 1 },
      {
        startWorker: () => new Worker(SUM, { eval: true, execArgv: [], env: {} }),
        pack,
        createError: (failure, cause) => new TestError(failure, cause),
      },
    );
    open.push(pool);
    return pool;
  }

  test('is posted in slices and answered once', async () => {
    const pool = createSumPool();
    let rounds = 0;
    const counter = setInterval(() => rounds++, 0);
    expect(await Promise.all([pool.run([1, 2, 3, 4, 5]), pool.run([10, 20])])).toEqual([15, 30]);
    clearInterval(counter);
    expect(rounds).toBeGreaterThanOrEqual(5);
  });

  test('that cannot be posted whole leaves nothing behind in the worker', async () => {
    const pool = createSumPool();
    const results = await Promise.allSettled([pool.run([1, () => 2, 3]), pool.run([4])]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { failure: 'dispatch-failed' } },
      { status: 'fulfilled', value: 4 },
    ]);
  });

  test('is posted again from its start when the worker crashes meanwhile', async () => {
    const pool = createSumPool();
    const results = await Promise.allSettled([
      pool.run([1, 0, 2, 3, 4, 5, 6, 7, 8]),
      pool.run([4]),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { failure: 'worker-crashed' } },
      { status: 'fulfilled', value: 4 },
    ]);
  });
});

test('close rejects what runs, what waits and what comes later', async () => {
  const { pool } = createPool({ threads: 1 });
  const settled = Promise.allSettled([-2, 1, 1].map((n) => pool.run(n)));
  await Promise.all([pool.close(), pool.close()]);
  for (const result of [...(await settled), ...(await Promise.allSettled([pool.run(1)]))]) {
    expect(result).toMatchObject({ status: 'rejected', reason: { failure: 'closed' } });
  }
});

test('ends a worker that never answers and tries its job once more', async () => {
  // The time includes the start of a thread, which takes long on a busy machine.
  const { pool, started } = createPool({ threads: 1, answerMilliseconds: 3000 });
  const hanging = pool.run(-2);
  const next = pool.run(5);
  await expect(hanging).rejects.toMatchObject({ failure: 'worker-crashed' });
  await expect(hanging).rejects.toHaveProperty('cause.message', 'no answer within 3 s');
  expect(await next).toBe(5);
  expect(started()).toBeGreaterThanOrEqual(3);
});
