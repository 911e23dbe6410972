import { silentLogger, Yielder } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import {
  decodeStorage,
  encodeStorage,
  type StorageValue,
} from '@monero-node/codec/portable-storage';
import { fromHex, toHex } from '@monero-node/codec';
import type { RpcContext } from '../context.ts';
import { resolveDependencies } from '../dependencies.ts';
import { localContext } from '../gateway/local-transport.ts';
import { BLOCK_ROWS } from '../methods/blocks.ts';
import { OUTPUT_ROWS } from '../methods/outputs.ts';
import { RpcServer } from '../server.ts';
import { createServices } from '../services.ts';
import { fakeControl, fakeP2p } from '../testing/fake-node.ts';
import { recordedServer } from '../testing/recorded-server.ts';
import { ask } from '../testing/http.ts';
import {
  openForkChain,
  readWalletCalls,
  type RecordedBinaryCall,
} from '../testing/next-fork-wallets.ts';

const recorded = readWalletCalls();
const NOTHING_HELD: RpcContext['holds'] = () => undefined;

interface Opened {
  readonly server: RpcServer;
  binary(
    call: Omit<RecordedBinaryCall, 'note' | 'response'>,
    restricted?: boolean,
  ): Promise<Buffer>;
  json(path: string, request: unknown): Promise<unknown>;
  close(): Promise<void>;
}

async function open(...chainOf: Parameters<typeof openForkChain>): Promise<Opened> {
  const chain = await openForkChain(...chainOf);
  let time = 0;
  const server = new RpcServer(
    {
      bindIp: '127.0.0.1',
      bindPort: 0,
      restrictedBindPort: 0,
      restrictedRpc: false,
      confirmExternalBind: false,
      corsOrigins: [],
    },
    { blockchain: chain, p2p: fakeP2p(), node: fakeControl(), now: () => time },
  );
  await server.start();
  return {
    server,
    binary: async ({ path, request, daemonTime }, restricted = false) => {
      time = daemonTime ?? 0;
      const port = restricted ? server.ports.restricted : server.ports.main;
      const { status, body } = await ask(port ?? 0, { path, body: fromHex(request) });
      expect([path, status]).toEqual([path, 200]);
      return body;
    },
    json: async (path, request) => {
      const { body } = await ask(server.ports.main ?? 0, { path, body: JSON.stringify(request) });
      return JSON.parse(body.toString());
    },
    close: async () => {
      await server.stop();
      await chain.stop();
    },
  };
}

/**
 * Fields in which ours differs, as it does from today's monerod; see docs/reference/rpc-differences.md. Upstream sends zeros for hashes, and the
 * others not at all: nothing of the pool to a client that has the newest block.
 */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  '/get_blocks.bin': ['prunable_hash', 'pool_info_extent'],
  '/get_outs.bin': ['amount'],
};

function shown(path: string, bytes: Uint8Array): unknown {
  const left = DIFFERENT[path] ?? [];
  const text = JSON.stringify(decodeStorage(bytes), (name, value: unknown) => {
    if (left.includes(name)) return undefined;
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Uint8Array) return toHex(value);
    return typeof value === 'bigint' ? `${value}` : value;
  });
  return JSON.parse(text);
}

test.each(recorded.chains.map(({ name }) => name))(
  'wallets on the chain %s are answered as by upstream',
  async (name) => {
    const { answers, calls } = recorded.chains.find((chain) => chain.name === name) ?? fail(name);
    const server = await open(name);
    for (const call of answers) {
      const told = {
        path: call.path,
        note: call.note,
        request: shown(call.path, fromHex(call.request)),
      };
      const answer = shown(call.path, await server.binary(call));
      expect({ ...told, answer }).toEqual({
        ...told,
        answer: shown(call.path, fromHex(call.response)),
      });
    }
    for (const { path, request, response } of calls) {
      const mined = (response.txs ?? []).filter((tx) => !tx.in_pool);
      const ids = request.txs_hashes.filter((id) => mined.some((tx) => tx.tx_hash === id));
      const { txs } = (await server.json(path, { ...request, txs_hashes: ids })) as typeof response;
      expect(txs ?? []).toEqual(mined);
    }
    await server.close();
  },
  300_000,
);

test('a restricted listener answers as upstream, and refuses 51 paths', async () => {
  const { height, answers } = recorded.restricted;
  const server = await open('long', height);
  for (const call of answers) {
    const answer = shown(call.path, await server.binary(call, true));
    expect([call.note, answer]).toEqual([call.note, shown(call.path, fromHex(call.response))]);
  }
  await server.close();
}, 60_000);

test('a network without version 17 has no paths, and blocks without the tree', async () => {
  const server = await recordedServer();
  expect((await server.path('/get_path_by_unified_id.bin')).status).toBe(404);
  const request = encodeStorage(
    new Map<string, StorageValue>([
      ['init_tree_sync', { type: 'bool', value: true }],
      ['start_height', { type: 'uint64', value: 5n }],
    ]),
  );
  const { body } = await ask(server.port, { path: '/get_blocks.bin', body: request });
  expect([...decodeStorage(body).keys()]).not.toContain('init_tree_sync_data');
  await server.stop();
});

/** Changes the chain at each of its pauses. */
class RemovingYielder extends Yielder {
  readonly #remove: () => Promise<unknown>;

  constructor(remove: () => Promise<unknown>) {
    super();
    this.#remove = remove;
  }

  override async yieldIfDue(): Promise<void> {
    await this.#remove();
  }
}

async function openContext(yielderOf: (chain: Blockchain) => Yielder, holds = NOTHING_HELD) {
  const chain = await openForkChain('long');
  const deps = { blockchain: chain, p2p: fakeP2p(), node: fakeControl(), logger: silentLogger };
  const services = createServices(resolveDependencies(deps));
  return { chain, context: { ...localContext(services, yielderOf(chain)), holds } };
}

test('paths and blocks of a chain that becomes shorter meanwhile are refused as those that it does not have', async () => {
  const { chain, context } = await openContext(
    (opened) => new RemovingYielder(() => opened.popBlocks(5)),
  );
  const path = { as_of_n_blocks: 0n, unified_ids: [1n, 2n, 3n] };
  const refused = { name: 'RpcStatus', message: 'Failed' };
  await expect(OUTPUT_ROWS.getPathByUnifiedIdBin.handler(path, context)).rejects.toMatchObject(
    refused,
  );
  await chain.stop();
}, 60_000);

test('what a wallet needs to follow the tree is counted before it is kept, besides the blocks', async () => {
  const held: number[] = [];
  const { chain, context } = await openContext(
    () => new Yielder(),
    (bytes) => held.push(bytes),
  );
  const request = {
    ...{ block_ids: [], block_ids_exclusive: false, start_height: 100n, prune: true },
    ...{ no_miner_tx: false, requested_info: 0, pool_info_since: 0n, max_block_count: 1n },
    init_tree_sync: true,
  };
  await BLOCK_ROWS.getBlocksBin.handler(request, context);
  const [blocks = 0, ...more] = held;
  expect(blocks).toBeGreaterThan(0);
  expect(more.length).toBeGreaterThan(10);
  expect(more).toEqual(more.toSorted((a, b) => a - b));
  // Those of the outputs, 400 each, come to those of the blocks: both are kept.
  expect(blocks % 400).toBeGreaterThan(0);
  expect(new Set(more.map((bytes) => (bytes - blocks) % 400))).toEqual(new Set([0]));
  const tooMuch = new Error('too much');
  const full = (bytes: number): void => {
    if (bytes > (more[3] ?? 0)) throw tooMuch;
    held.push(bytes);
  };
  held.length = 0;
  await expect(BLOCK_ROWS.getBlocksBin.handler(request, { ...context, holds: full })).rejects.toBe(
    tooMuch,
  );
  expect(held).toEqual([blocks, ...more.slice(0, 4)]);
  await chain.stop();
}, 60_000);

function fail(what: string): never {
  throw new Error(`${what} is missing`);
}
