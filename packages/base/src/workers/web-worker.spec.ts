import { adaptWebWorker, type WebWorker } from './web-worker.ts';
import { serveJobs } from './web.ts';
import { WorkerPool } from './worker-pool.ts';

type Listener = ((event: unknown) => void) | null;

/** A browser's worker that runs `serveJobs` on this thread, one message per round of the event loop. */
class FakeWorker implements WebWorker {
  onmessage: Listener = null;
  onerror: Listener = null;
  onmessageerror: Listener = null;
  isTerminated = false;
  readonly received: unknown[] = [];
  readonly #scope: { onmessage: Listener; postMessage(message: unknown): void };

  constructor(begin: (data: { factor: number }) => (job: number) => unknown) {
    const before = Object.getOwnPropertyDescriptors(globalThis);
    const scope = globalThis as unknown as { onmessage: Listener };
    serveJobs(begin);
    this.#scope = {
      onmessage: scope.onmessage,
      postMessage: (data) => setImmediate(() => this.onmessage?.({ data })),
    };
    if (before['onmessage' as keyof typeof before] === undefined) {
      delete (globalThis as { onmessage?: unknown }).onmessage;
    }
  }

  postMessage(data: unknown): void {
    this.received.push(data);
    setImmediate(() => {
      if (this.isTerminated) return;
      const saved = globalThis as unknown as Record<string, unknown>;
      saved['onmessage'] = this.#scope.onmessage;
      saved['postMessage'] = this.#scope.postMessage;
      try {
        this.#scope.onmessage?.({ data });
      } catch (error) {
        this.onerror?.({ message: (error as Error).message });
      } finally {
        this.#scope.onmessage = saved['onmessage'] as Listener;
        delete saved['onmessage'];
        delete saved['postMessage'];
      }
    });
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

const multiply =
  ({ factor }: { factor: number }) =>
  (job: number) => {
    if (job === 0) throw new Error('told to');
    return factor * job;
  };

function createPool() {
  const workers: FakeWorker[] = [];
  const pool = new WorkerPool<number, number>(
    { threads: 1 },
    {
      startWorker: () => {
        const worker = new FakeWorker(multiply);
        workers.push(worker);
        return adaptWebWorker(worker, { factor: 3 });
      },
      createError: (failure, cause) => new Error(failure, { cause }),
    },
  );
  return { pool, workers };
}

test('starts with the data and answers each job', async () => {
  const { pool, workers } = createPool();
  expect(await Promise.all([1, 2, 5].map((job) => pool.run(job)))).toEqual([3, 6, 15]);
  expect(workers[0]?.received).toEqual([{ factor: 3 }, 1, 2, 5]);
  await pool.close();
  expect(workers[0]?.isTerminated).toBe(true);
});

test('ends a worker with an error, and the next job gets another', async () => {
  const { pool, workers } = createPool();
  await expect(pool.run(0)).rejects.toMatchObject({
    message: 'worker-crashed',
    cause: { message: 'told to' },
  });
  expect(await pool.run(7)).toBe(21);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true, false]);
});

test.each([
  ['does not load', 'onerror', {}, 'the worker did not load'],
  [
    'sends what cannot be read',
    'onmessageerror',
    {},
    'an answer of the worker cannot be read here',
  ],
] as const)('reports a worker that %s', (_, event, argument, message) => {
  const worker = new FakeWorker(multiply);
  const adapted = adaptWebWorker(worker, { factor: 1 });
  const seen: unknown[] = [];
  adapted.on('error', (error) => seen.push(error.message));
  adapted.on('exit', (code) => seen.push(code));
  worker[event]?.(argument);
  expect(seen).toEqual([message, 1]);
  expect(worker.isTerminated).toBe(true);
});
