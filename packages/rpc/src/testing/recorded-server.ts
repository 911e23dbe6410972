import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { TxPoolEvents } from '@monero-node/mempool';
import type { RpcDependencies } from '../dependencies.ts';
import type { RpcOptions } from '../options.ts';
import { RpcServer } from '../server.ts';
import { fakeControl, fakeP2p } from './fake-node.ts';
import { ask, type HttpReply } from './http.ts';
import { recordedChain } from './recorded.ts';

/** A server on the recorded chain, with the fakes it talks to. */
export interface RecordedServer {
  readonly chain: Blockchain;
  /** What tells of changes of the pool. */
  readonly poolEvents: EventEmitter<TxPoolEvents>;
  readonly server: RpcServer;
  readonly p2p: ReturnType<typeof fakeP2p>;
  readonly control: ReturnType<typeof fakeControl>;
  readonly port: number;
  readonly restrictedPort: number;
  /** Calls a JSON-RPC method and returns the whole answer. */
  rpc(method: string, params?: unknown, restricted?: boolean): Promise<unknown>;
  /** Calls a JSON path. */
  path(path: string, request?: unknown): Promise<HttpReply>;
  stop(): Promise<void>;
}

export async function recordedServer(
  options: Partial<RpcOptions> = {},
  deps: Partial<RpcDependencies> = {},
): Promise<RecordedServer> {
  const chain = await recordedChain();
  const p2p = fakeP2p();
  const control = fakeControl();
  const poolEvents = new EventEmitter<TxPoolEvents>();
  const server = new RpcServer(
    {
      bindIp: '127.0.0.1',
      bindPort: 0,
      restrictedBindPort: 0,
      restrictedRpc: false,
      confirmExternalBind: false,
      corsOrigins: [],
      ...options,
    },
    {
      blockchain: chain,
      p2p,
      node: control,
      logger: silentLogger,
      events: { chain, pool: poolEvents },
      ...deps,
    },
  );
  await server.start();
  const port = server.ports.main ?? 0;
  const restrictedPort = server.ports.restricted ?? 0;
  return {
    chain,
    poolEvents,
    server,
    p2p,
    control,
    port,
    restrictedPort,
    rpc: async (method, params, restricted = false) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
      const answer = await ask(restricted ? restrictedPort : port, { path: '/json_rpc', body });
      return JSON.parse(answer.body.toString());
    },
    path: (path, request) =>
      ask(port, { path, body: request === undefined ? '' : JSON.stringify(request) }),
    stop: async () => {
      await server.stop();
      await chain.stop();
    },
  };
}
