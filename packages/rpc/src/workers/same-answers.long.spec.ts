/** @jest-environment node */
import { EventEmitter, once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { TxPoolEvents } from '@monero-node/mempool';
import type { CommitShare } from '@monero-node/storage';
import type { RpcMethod } from '../method.ts';
import type { ToMain, ToWorker } from './channel.ts';
import type { WorkerEvents } from './worker-process.ts';

let chain: Blockchain;

const copyOf = <T>(message: T): T => deserialize(serialize(message)) as T;

/** A worker in this process: what it is told and says is copied as between processes, and comes later. */
class WorkerInside {
  readonly pid = 1;
  readonly #events: WorkerEvents;
  #worker: ReturnType<typeof RpcWorker.following> | undefined;

  constructor(events: WorkerEvents) {
    this.#events = events;
  }

  send(message: ToWorker, socket?: Socket): void {
    const copy = copyOf(message);
    setImmediate(() => void this.#take(copy, socket && moved(socket)));
  }

  kill(): void {
    this.#events.onEnd('killed');
  }

  async #take(message: ToWorker, socket: Socket | undefined): Promise<void> {
    if (message.kind === 'begin') {
      const follower = { store: chain.store, commit: 1, follow: () => true };
      const { setup, facts } = message;
      const send = (said: ToMain) => {
        const copy = copyOf(said);
        setImmediate(() => this.#events.onMessage(copy));
      };
      this.#worker = RpcWorker.following(follower, { setup, facts, send });
    }
    await (await this.#worker)?.take(message, socket);
    if (message.kind === 'stop') this.#events.onEnd('stopped');
  }
}

/** Returns another socket for the same connection: the main process closes its own when the worker has one. */
function moved(socket: Socket): Socket {
  const { localAddress, _handle: handle } = socket as Socket & { _handle: object };
  Object.assign(socket, { _handle: null });
  // By which it is counted.
  Object.defineProperty(socket, 'localAddress', { value: localAddress });
  return new Socket({ handle } as object);
}

jest.unstable_mockModule('./worker-process.ts', () => ({ WorkerProcess: WorkerInside }));
const { RpcWorker } = await import('./worker.ts');
const { RpcServer } = await import('../server.ts');
const { METHODS } = await import('../methods/index.ts');
const { createSite } = await import('../gateway/site.ts');
const { fakeControl, fakeP2p } = await import('../testing/fake-node.ts');
const { madeUpPage } = await import('../testing/made-up-page.ts');
const { recordedCalls, recordedChain, recordedPool } = await import('../testing/recorded.ts');

type Server = InstanceType<typeof RpcServer>;
type Port = 'main' | 'restricted';

/** A request, the same for both processes. */
interface Asked {
  readonly port: Port;
  readonly verb: string;
  readonly path: string;
  readonly body: Uint8Array | string;
}

/** Parts that no two answers share: ids, times and figures of the machine. */
const VOLATILE = /"(id|rpc_connections_count|database_size|adjusted_time)": ("[^"]*"|\d+)/g;
/** Counts the calls that were asked of each of the two servers here. */
const COUNTS_ITSELF = new Set(['rpc_access_tracking']);
/** Answers without an end. */
const ENDLESS = new Set(['/page/events', '/events', '/events?after=3']);
/** A query string that cannot be read. */
const BAD_QUERY = '/events?after=x';

const page = madeUpPage();
const p2p = Object.assign(fakeP2p(), {
  targetHeight: 203,
  incomingCount: 3,
  outgoingCount: 4,
  whiteCount: 5,
  grayCount: 6,
});
const reasons: string[] = [];
const control = Object.assign(fakeControl(), {
  offline: false,
  updates: {
    isAvailable: true,
    check: () => Promise.resolve(undefined),
    download: () => Promise.resolve('/nowhere/archive'),
  },
  notReady: () => reasons,
  fleetAnswer: () => '{"statements":[]}',
  healthFigures: () => ({
    height: 89,
    topId: 'ab'.repeat(32),
    cumulativeDifficulty: '0x3e8',
    targetHeight: 91,
    lag: 2,
    tipAge: 60,
    peers: 7,
    fleetPeers: 2,
    freeSpace: 5_000,
    instanceId: '0123456789abcdef',
  }),
});
let alone: Server;
let withWorker: Server;

function newServer(workers: boolean): Server {
  const share = { commit: 1, reached: () => undefined, end: () => undefined };
  const shareCommits = () => Promise.resolve(share as unknown as CommitShare);
  const options = { bindIp: '127.0.0.1', bindPort: 0, restrictedBindPort: 0 };
  return new RpcServer(options, {
    blockchain: chain,
    pool: recordedPool(),
    p2p,
    node: control,
    logger: silentLogger,
    page,
    events: { chain, pool: new EventEmitter<TxPoolEvents>() },
    ...(workers && { workers: { count: 1, store: { shareCommits }, storePath: '/nowhere' } }),
  });
}

beforeAll(async () => {
  chain = await recordedChain();
  alone = newServer(false);
  withWorker = newServer(true);
  await Promise.all([alone.start(), withWorker.start()]);
  // Until the worker is ready, the main process answers itself.
  while (!(await answerOf(withWorker, get('/health/live'))).byWorker);
});
afterAll(async () => {
  await Promise.all([alone.stop(), withWorker.stop()]);
  await chain.stop();
});

const get = (path: string, port: Port = 'main', verb = 'GET'): Asked => {
  return { port, verb, path, body: '' };
};

const take = jest.spyOn(RpcWorker.prototype, 'take');
/** Returns how often the worker was given a connection. */
const handedOver = (): number =>
  take.mock.calls.filter(([message]) => message.kind === 'connection').length;

/** Asks on a connection of its own, for the first part of an answer without an end. */
async function answerOf(server: Server, { port, verb, path, body }: Asked) {
  const before = handedOver();
  const call = httpRequest({
    host: '127.0.0.1',
    port: server.ports[port],
    method: verb,
    path,
    agent: false,
    headers: { 'Content-Length': Buffer.byteLength(body) },
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    if (ENDLESS.has(path)) break;
  }
  call.destroy();
  const { statusCode, statusMessage, headers } = response;
  // Times.
  const { date: _, 'last-modified': __, ...others } = headers;
  const text = Buffer.concat(chunks).toString('latin1').replace(VOLATILE, '"$1": *');
  return {
    answer: { statusCode, statusMessage, headers: others, text },
    byWorker: handedOver() > before,
  };
}

const jsonRpc = (method: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: '0', method, params: {} });

/** Every path that a port answers, and one that none does. */
function everyRequest(port: Port): Asked[] {
  const pagePaths = [...page.files.keys(), page.eventsPath, '/events'];
  const parts = { page: { paths: pagePaths, reply: jest.fn() } };
  const site = createSite(parts as never);
  const paths = [...METHODS.flatMap((method) => pathsOf(method)), '/nowhere'];
  const names = METHODS.filter(({ name }) => !COUNTS_ITSELF.has(name)).flatMap(
    ({ names: all = [] }) => all,
  );
  return [
    ...[...site.keys(), '/events?after=3', BAD_QUERY].flatMap((path) =>
      ['GET', 'HEAD', 'POST'].map((verb) => get(path, port, verb)),
    ),
    ...paths.flatMap((path) => ['GET', 'POST'].map((verb) => get(path, port, verb))),
    ...names.map((name) => ({ port, verb: 'POST', path: '/json_rpc', body: jsonRpc(name) })),
  ];
}

const pathsOf = ({ paths = [], binaryPaths = [] }: RpcMethod): string[] => [
  ...paths,
  ...binaryPaths,
];

/** Requests with parameters for what a worker answers: those that were recorded from monerod. */
function recordedRequests(): Asked[] {
  const isRead = ({ path, request = '' }: ReturnType<typeof recordedCalls>[number]): boolean => {
    const name = /"method":"(\w+)"/.exec(request)?.[1] ?? '';
    const method = METHODS.find(
      (each) => pathsOf(each).includes(path) || each.names?.includes(name),
    );
    return method?.answeredBy === 'worker';
  };
  return recordedCalls()
    .filter(isRead)
    .map(({ port, verb, path, request = '', request_b64: bytes }) => ({
      port: port === 'rpc' ? ('main' as const) : ('restricted' as const),
      verb,
      path,
      body: bytes === undefined ? request : Buffer.from(bytes, 'base64'),
    }));
}

const asked = [...everyRequest('main'), ...everyRequest('restricted'), ...recordedRequests()];

/** Asks both servers within one second: some answers tell the time. */
async function askBoth(each: Asked) {
  for (;;) {
    const second = Math.floor(Date.now() / 1000);
    const expected = await answerOf(alone, each);
    const answered = await answerOf(withWorker, each);
    if (Math.floor(Date.now() / 1000) === second) return { expected, answered };
  }
}

test('a worker answers every path as the main process does, field by field', async () => {
  const different: unknown[] = [];
  for (const state of [[], ['few_peers', 'low_disk']]) {
    reasons.splice(0, reasons.length, ...state);
    // The worker is told ten times a second.
    const status = state.length === 0 ? 200 : 503;
    const statusNow = async (): Promise<number | undefined> =>
      (await answerOf(withWorker, get('/health/ready'))).answer.statusCode;
    while ((await statusNow()) !== status);
    for (const each of state.length === 0 ? asked : [get('/health/ready')]) {
      const { expected, answered } = await askBoth(each);
      const { answer, byWorker } = answered;
      expect(byWorker).toBe(true);
      if (!isDeepStrictEqual(answer, expected.answer))
        different.push({ each, answer, expected: expected.answer });
    }
  }
  expect(different).toEqual([]);
}, 120_000);
