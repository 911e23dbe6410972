/** @jest-environment node */
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import type { CommitShare } from '@monero-node/storage';
import type { ToMain, ToWorker } from './channel.ts';
import type { WorkerEvents } from './worker-process.ts';

/** A worker that takes connections and answers, until it hangs. */
class FakeWorker {
  static readonly all: FakeWorker[] = [];
  readonly pid = FakeWorker.all.push(this);
  readonly #events: WorkerEvents;
  readonly connections: number[] = [];
  hangs = false;
  isGone = false;

  constructor(events: WorkerEvents) {
    this.#events = events;
  }

  send(message: ToWorker): void {
    if (this.hangs) return;
    if (message.kind === 'begin') this.#say({ kind: 'ready' });
    if (message.kind === 'beat') this.#say({ kind: 'beat', saturation: 0 });
    if (message.kind === 'commit') this.#say({ kind: 'reading', commit: message.commit });
    if (message.kind !== 'connection') return;
    this.connections.push(message.id);
    this.#say({ kind: 'accepted', id: message.id });
  }

  kill(): void {
    this.isGone = true;
    setTimeout(() => this.#events.onEnd('signal SIGKILL'), 1);
  }

  #say(message: ToMain): void {
    setTimeout(() => {
      if (!this.isGone && !this.hangs) this.#events.onMessage(message);
    }, 1);
  }
}

jest.unstable_mockModule('./worker-process.ts', () => ({ WorkerProcess: FakeWorker }));
const { WorkerHost } = await import('./worker-host.ts');
const { resolveDependencies } = await import('../dependencies.ts');
const { createServices } = await import('../services.ts');
const { fakeControl, fakeP2p } = await import('../testing/fake-node.ts');

const lines: string[] = [];
const note = (line: string): void => void lines.push(line);
const logger = { ...silentLogger, warn: note, info: note, child: () => logger };

/** Returns a host with workers. */
async function startHost(count = 2): Promise<InstanceType<typeof WorkerHost>> {
  const share = { commit: 1, reached: () => undefined, end: () => undefined };
  const parts = { blockchain: { busy: false, height: 1 }, p2p: fakeP2p(), node: fakeControl() };
  const services = createServices(resolveDependencies({ ...parts, logger } as never));
  const host = new WorkerHost({ count, setup: {} as never }, {
    services,
    store: { shareCommits: async () => share as unknown as CommitShare },
    credentials: () => undefined,
    wantsCalls: () => false,
  } as never);
  await host.start();
  await jest.advanceTimersByTimeAsync(100);
  return host;
}

beforeEach(() => {
  FakeWorker.all.length = 0;
  lines.length = 0;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

test('a worker that hangs gets no connections after 3 seconds, and is replaced after 10, without a block', async () => {
  const host = await startHost();
  expect(host.serving.length).toBe(2);
  await jest.advanceTimersByTimeAsync(60_000);
  const [first, second] = FakeWorker.all;
  if (first === undefined || second === undefined) throw new Error('no workers');
  lines.length = 0;
  first.hangs = true;
  const keepHere = jest.fn();
  // Given to it before anybody can know.
  host.handOver('main', new Socket(), keepHere);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(lines).toEqual(['RPC worker 1 does not answer: it gets no new connections']);
  expect(host.serving.length).toBe(1);
  for (let i = 0; i < 5; i++) expect(host.handOver('main', new Socket(), keepHere)).toBe(true);
  expect(second.connections).toHaveLength(5);
  await jest.advanceTimersByTimeAsync(7_000);
  expect(first.isGone).toBe(true);
  expect(lines.slice(1)).toEqual([
    'RPC worker 1 does not go on: it is killed',
    'RPC worker 1 has ended (signal SIGKILL); another one starts in 0 s',
  ]);
  expect([FakeWorker.all.length, host.serving.length]).toEqual([3, 2]);
  // The connection that it had not taken is another's.
  const taken = FakeWorker.all.flatMap(({ connections }) => connections);
  expect(taken).toHaveLength(6);
  expect(keepHere).not.toHaveBeenCalled();
  const stopping = host.stop();
  await jest.advanceTimersByTimeAsync(6_000);
  await stopping;
});

test.each([1, 3])(
  'a disk that holds up all of %i workers for 20 seconds kills none; 30 seconds are too many',
  async (count) => {
    const host = await startHost(count);
    await jest.advanceTimersByTimeAsync(60_000);
    const first = [...FakeWorker.all];
    lines.length = 0;
    for (const worker of first) worker.hangs = true;
    await jest.advanceTimersByTimeAsync(20_000);
    expect(host.serving.length).toBe(0);
    for (const worker of first) {
      worker.hangs = false;
      worker.send({ kind: 'beat' });
    }
    await jest.advanceTimersByTimeAsync(1_000);
    expect([host.serving.length, FakeWorker.all.length]).toEqual([count, count]);
    expect(lines.filter((line) => line.includes('killed'))).toEqual([]);
    for (const worker of first) worker.hangs = true;
    await jest.advanceTimersByTimeAsync(32_000);
    expect(first.map(({ isGone }) => isGone)).toEqual(first.map(() => true));
    expect([host.serving.length, FakeWorker.all.length]).toEqual([count, 2 * count]);
    const stopping = host.stop();
    await jest.advanceTimersByTimeAsync(6_000);
    await stopping;
  },
);

test('a worker that is slow for a moment goes on, and one that comes back is used again', async () => {
  const host = await startHost();
  const [first] = FakeWorker.all;
  if (first === undefined) throw new Error('no workers');
  lines.length = 0;
  const pause = async (milliseconds: number): Promise<void> => {
    first.hangs = true;
    await jest.advanceTimersByTimeAsync(milliseconds);
    first.hangs = false;
    // What it was told meanwhile reaches it now.
    first.send({ kind: 'beat' });
    await jest.advanceTimersByTimeAsync(1_000);
  };
  for (let i = 0; i < 5; i++) await pause(1_000);
  expect(lines).toEqual([]);
  await pause(5_000);
  expect(lines).toEqual([
    'RPC worker 1 does not answer: it gets no new connections',
    'RPC worker 1 answers again',
  ]);
  expect([FakeWorker.all.length, host.serving.length]).toEqual([2, 2]);
  const stopping = host.stop();
  await jest.advanceTimersByTimeAsync(6_000);
  await stopping;
});
