import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import {
  type Blockchain,
  type ChainEvents,
  type CompleteBlock,
  parseBundle,
} from '@monero-node/blockchain';
import {
  fromHex,
  keyImagesOf,
  type ParsedTransaction,
  parseTransaction,
  toHex,
} from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import type { PoolTransaction } from '@monero-node/mempool';
import { RpcOptionsError } from '@monero-node/rpc/settings';
import type { FinishedCall } from '@monero-node/rpc/shared';
import {
  fakeControl,
  fakeP2p,
  recordedBundles,
  recordedChain,
  recordedPool,
} from '@monero-node/rpc/testing';
import { Request, Subscriber } from 'zeromq';
import { newTransactions } from './new-transactions.ts';
import type { ZmqOptions } from './options.ts';
import { type ZmqDependencies, ZmqServer } from './server.ts';
import { Subscriptions } from './subscriptions.ts';
import { recordedZmq } from './testing/recorded-zmq.ts';

const OPTIONS: ZmqOptions = {
  rpcBindIp: '127.0.0.1',
  rpcBindPort: 0,
  confirmExternalBind: false,
  restricted: false,
  publishAt: ['tcp://127.0.0.1:*'],
};
const CLSAGS = /"clsags":\[\{.*?\}\],/g;

const dependenciesOf = (chain: Blockchain): ZmqDependencies => ({
  blockchain: chain,
  p2p: fakeP2p(),
  node: fakeControl(),
  logger: silentLogger,
  chainEvents: chain,
});

function serverOn(chain: Blockchain, options: Partial<ZmqOptions> = {}): ZmqServer {
  return new ZmqServer({ ...OPTIONS, ...options }, dependenciesOf(chain));
}

const arrived = jest.spyOn(Subscriptions.prototype, 'note');

/** Returns a subscriber whose subscriptions have arrived. */
async function subscriber(address: string, ...prefixes: string[]): Promise<Subscriber> {
  const socket = new Subscriber({ receiveTimeout: 5000 });
  const before = arrived.mock.calls.length;
  for (const prefix of prefixes) socket.subscribe(prefix);
  socket.connect(address);
  await until(() => arrived.mock.calls.length === before + prefixes.length);
  return socket;
}

async function take(socket: Subscriber, count: number): Promise<string[]> {
  const messages: string[] = [];
  while (messages.length < count) {
    const frames = await socket.receive();
    expect(frames).toHaveLength(1);
    messages.push(String(frames[0]));
  }
  return messages;
}

const withoutBacklog = (message: string): string => message.replace(/"tx_backlog":.*/, '');

/** Returns a transaction as the pool holds it. */
function pooled(parsed: ParsedTransaction): PoolTransaction {
  const [example] = recordedPool().transactions();
  if (example === undefined) throw new Error('fixture too short');
  const { id, blob } = parsed;
  const figures = { weight: transactionWeight(parsed), fee: feeOf(parsed) };
  return { ...example, id, blob, ...figures, keyImages: keyImagesOf(parsed.tx), broadcast: true };
}

describe('the ZeroMQ publisher', () => {
  const recorded = recordedZmq();
  const first = recorded.blocks[0]?.height ?? 0;
  let chain: Blockchain;
  let server: ZmqServer;
  let at: string;
  const sockets: Subscriber[] = [];
  const subscribe = async (...prefixes: string[]): Promise<Subscriber> => {
    const socket = await subscriber(at, ...prefixes);
    sockets.push(socket);
    return socket;
  };

  beforeEach(async () => {
    chain = await recordedChain(first - 1);
    server = serverOn(chain);
    await server.start();
    at = server.publishedAt[0] ?? '';
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    await server.stop();
    await chain.stop();
  });

  test('a block is announced as monerod does, in its order', async () => {
    const socket = await subscribe('json');
    const bundles = recordedBundles().slice(first - 1);
    for (const [i, { messages }] of recorded.blocks.entries()) {
      const bundle = bundles[i];
      if (bundle === undefined) throw new Error('fixture too short');
      for (const tx of bundle.txs) server.transactionMined(pooled(tx));
      await chain.addBlock(bundle);
      expect(await take(socket, messages.length)).toEqual(messages);
    }
  });

  test('each of several blocks at once is announced as monerod announces it alone', async () => {
    const socket = await subscribe('json');
    const bundles = recordedBundles().slice(first - 1, first - 1 + recorded.blocks.length);
    for (const tx of bundles.flatMap(({ txs }) => txs)) server.transactionMined(pooled(tx));
    await chain.addSpan(bundles);
    const expected = recorded.blocks.flatMap(({ messages }) => messages);
    const received = await take(socket, expected.length);
    expect(received.map(withoutBacklog)).toEqual(expected.map(withoutBacklog));
  });

  test('a transaction of a later block is in the backlogs of those before it, and then no more', async () => {
    const socket = await subscribe('json-full-miner_data');
    const from = recordedBundles().findIndex(({ txs }) => txs.length > 0);
    const bundles = recordedBundles().slice(first - 1, from + 1);
    const [tx] = bundles.at(-1)?.txs ?? [];
    if (tx === undefined) throw new Error('fixture too short');
    server.transactionMined(pooled(tx));
    server.transactionMined({ ...pooled(tx), id: new Uint8Array(32), broadcast: false });
    await chain.addSpan(bundles);
    const backlogs = (await take(socket, bundles.length)).map((message) =>
      message.slice(message.indexOf('"tx_backlog"')),
    );
    const { fee, weight } = pooled(tx);
    const before = `"tx_backlog":[{"id":"${toHex(tx.id)}","weight":${weight},"fee":${fee}}]}`;
    expect(backlogs).toEqual([...bundles.slice(1).map(() => before), '"tx_backlog":[]}']);
  });

  test('transactions that come with a block are announced before it; those of replaced blocks are not', async () => {
    const socket = await subscribe('json-minimal');
    const from = recordedBundles().findIndex(({ txs }) => txs.length > 0);
    await chain.addSpan(recordedBundles().slice(first - 1, from));
    await take(socket, from - first + 1);
    const block = recordedBundles()[from];
    if (block === undefined) throw new Error('fixture too short');
    await chain.addBlock(block);
    const [added, announced] = await take(socket, 2);
    expect(added).toMatch(/^json-minimal-txpool_add:/);
    for (const { id } of block.txs) expect(added).toContain(toHex(id));
    expect(announced).toMatch(/^json-minimal-chain_main:/);
    const height = chain.height - 1;
    const twice = newTransactions(
      [{ height, bundle: block as CompleteBlock, meta: chain.top, nextMedianWeight: 300_000 }],
      () => false,
      [{ block: block.block.blob, txs: [] }],
    );
    expect(twice).toEqual([[]]);
  });

  test('a subscriber receives new messages with its prefix and no past ones', async () => {
    const [one, two, three] = recordedBundles().slice(first - 1);
    if (one === undefined || two === undefined || three === undefined) throw new Error('too short');
    await chain.addBlock(one);
    const minimal = await subscribe('json-minimal');
    const miner = await subscribe('json-full-miner_data');
    await chain.addSpan([two, three]);
    const [second, third] = recorded.blocks.slice(1);
    expect(await take(minimal, 2)).toEqual([second?.messages[2], third?.messages[2]]);
    expect(await take(miner, 2)).toEqual([second?.messages[0], third?.messages[0]]);
  });

  test('the blocks of a reorganization', async () => {
    await chain.addSpan(recordedBundles().slice(first - 1));
    const socket = await subscribe('');
    for (const blob of recorded.reorg.blocks) {
      await chain.addBlock(parseBundle({ block: fromHex(blob), txs: [] }));
    }
    // monerod announces them while it switches and again when it has; the first time is what counts.
    expect(await take(socket, 9)).toEqual(recorded.reorg.messages.slice(0, 9));
  });

  test('transactions', async () => {
    const socket = await subscribe('json-full-txpool_add', 'json-minimal-txpool_add');
    const bundles = recordedBundles();
    for (const height of [83, 85]) {
      const added = (bundles[height - 1]?.txs ?? []).map(({ blob }, i) => {
        const line = recorded.pool[height === 83 ? 1 : 3] ?? '';
        const { id } = (JSON.parse(line.slice(line.indexOf(':') + 1)) as { id: string }[])[i] ?? {};
        return { id: fromHex(id ?? ''), blob, weight: blob.length, fee: 2_605_200_000n };
      });
      server.transactionsAdded(added);
    }
    const messages = await take(socket, 4);
    expect(messages.map((message) => message.replace(CLSAGS, ''))).toEqual(recorded.pool);
    server.transactionsAdded([]);
    server.transactionsAdded(recordedPool().transactions());
    expect(await take(socket, 1)).toEqual([expect.stringMatching(/^json-full-txpool_add:\[\{/)]);
  });

  test('whoever announces does not notice what goes wrong', () => {
    const broken = { id: new Uint8Array(32), blob: Uint8Array.of(9), weight: 1, fee: 1n };
    expect(() => server.transactionsAdded([broken])).not.toThrow();
  });

  test('publishes nothing after its stop', async () => {
    await server.stop();
    expect(server.publishedAt).toEqual([]);
    expect(chain.listenerCount('blocks-added')).toBe(0);
    expect(() => server.transactionsAdded(recordedPool().transactions())).not.toThrow();
  });
});

describe('the ZeroMQ server', () => {
  let chain: Blockchain;
  beforeAll(async () => {
    chain = await recordedChain(3);
  });
  afterAll(() => chain.stop());

  test('answers over a socket, one call after another', async () => {
    const calls: FinishedCall[] = [];
    const onCall = (call: FinishedCall): void => void calls.push(call);
    const server = new ZmqServer(OPTIONS, { ...dependenciesOf(chain), onCall });
    await server.start();
    const client = new Request({ receiveTimeout: 5000 });
    try {
      client.connect(`tcp://127.0.0.1:${server.rpcPort}`);
      for (const id of [1, 2]) {
        await client.send(`{"jsonrpc":"2.0","id":${id},"method":"get_height","params":{}}`);
        const [answer] = await client.receive();
        expect(String(answer)).toBe(
          `{"jsonrpc":"2.0","id":${id},"result":{"rpc_version":131072,"height":4}}`,
        );
      }
      await client.send('nonsense');
      expect(String(await client.receive())).toContain('Failed to parse the json request');
      await client.send('{"jsonrpc":"2.0","id":3,"method":"x\\u0007","params":{}}');
      expect(String(await client.receive())).toContain('is not a valid request');
    } finally {
      client.close();
      await server.stop();
    }
    expect(server.rpcPort).toBeUndefined();
    const call = { interface: 'zmq', address: '127.0.0.1', isSent: true };
    const height = { ...call, request: 'get_height', method: 'get_height', status: 'ok' };
    const unknown = { ...call, request: 'x?', method: 'unknown', status: 'error' };
    expect(calls).toMatchObject([height, height, { ...unknown, request: '' }, unknown]);
    for (const { bytes, seconds, secondsToAnswer } of calls) {
      expect(bytes).toBeGreaterThan(60);
      expect(secondsToAnswer).toBeGreaterThan(0);
      expect(seconds).toBeGreaterThanOrEqual(secondsToAnswer);
    }
  });

  test('publishes at several addresses, IPC sockets included', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'zmq-'));
    const events = new EventEmitter<ChainEvents>();
    const publishAt = ['tcp://127.0.0.1:*', `ipc://${join(dir, 'events')}`];
    const server = new ZmqServer(
      { ...OPTIONS, publishAt },
      { ...dependenciesOf(chain), chainEvents: events },
    );
    await server.start();
    expect(server.publishedAt).toHaveLength(2);
    const listening: Subscriber[] = [];
    for (const address of server.publishedAt)
      listening.push(await subscriber(address, 'json-full-txpool_add'));
    try {
      server.transactionsAdded(recordedPool().transactions());
      const received = await Promise.all(listening.map((socket) => take(socket, 1)));
      expect(received[0]).toEqual(received[1]);
    } finally {
      for (const socket of listening) socket.close();
      await server.stop();
      rmSync(dir, { recursive: true });
    }
  });

  test('new transactions of a side chain are announced once, known ones not at all', async () => {
    const events = new EventEmitter<ChainEvents>();
    const dependencies = { ...dependenciesOf(chain), chainEvents: events, pool: recordedPool() };
    const server = new ZmqServer(OPTIONS, dependencies);
    await server.start();
    const socket = await subscriber(server.publishedAt[0] ?? '', 'json-minimal-txpool_add');
    try {
      const bundle = recordedBundles().find(({ txs }) => txs.length > 0);
      const [known] = recordedPool().transactions();
      if (bundle === undefined || known === undefined) throw new Error('fixture too short');
      const txs = [...bundle.txs, parseTransaction(known.blob)];
      const announced = { ...(bundle as CompleteBlock), txs };
      const block = { id: new Uint8Array(32), height: 2, bundle: announced };
      for (let round = 0; round < 2; round++) events.emit('alternative-block', block);
      server.transactionsAdded([known]);
      const told = (await take(socket, 2)).map((message) => message.match(/(?<="id":")\w+/g));
      expect(told).toEqual([bundle.txs.map(({ id }) => toHex(id)), [toHex(known.id)]]);
    } finally {
      socket.close();
      await server.stop();
    }
    expect(events.listenerCount('alternative-block')).toBe(0);
  });

  test('an address that cannot be bound fails the start and leaves nothing listening', async () => {
    const first = serverOn(chain);
    await first.start();
    const taken = serverOn(chain, { rpcBindPort: first.rpcPort ?? 0 });
    await expect(taken.start()).rejects.toThrow('ZeroMQ RPC on tcp://127.0.0.1');
    const bad = serverOn(chain, { publishAt: ['nonsense'] });
    await expect(bad.start()).rejects.toThrow('--zmq-pub nonsense');
    expect(bad.rpcPort).toBeUndefined();
    await first.stop();
    await taken.stop();
  });

  test.each([
    ['0.0.0.0', '--confirm-zmq-rpc-external-bind'],
    ['', '--confirm-zmq-rpc-external-bind'],
    ['localhost', 'Invalid IP address given for --zmq-rpc-bind-ip'],
  ])('refuses to bind to "%s" without confirmation', (rpcBindIp, message) => {
    expect(() => serverOn(chain, { rpcBindIp })).toThrow(RpcOptionsError);
    expect(() => serverOn(chain, { rpcBindIp })).toThrow(message);
  });

  test.each(['127.0.0.2', '::1', '[::1]'])('%s is loopback', (rpcBindIp) => {
    expect(() => serverOn(chain, { rpcBindIp })).not.toThrow();
  });

  test('an external address may be confirmed', () => {
    expect(() =>
      serverOn(chain, { rpcBindIp: '0.0.0.0', confirmExternalBind: true }),
    ).not.toThrow();
  });
});
