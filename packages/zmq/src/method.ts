import { inSlices, type Yielder } from '@monero-node/base';
import type { JsonValue } from '@monero-node/codec';
import type { RpcServices } from '@monero-node/rpc/shared';
import type { ZmqMining } from './mining.ts';
import { read, type Readers, readSteps } from './read-json.ts';
import type { ZmqValue } from './write-json.ts';

/** Version of the ZeroMQ interface: 2.0. Source: src/rpc/daemon_rpc_version.h. */
export const ZMQ_RPC_VERSION = 2 << 16;

/** Ends a call with the error `Failed`. */
export class ZmqFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZmqFailure';
  }
}

/** The error of methods that this node can't serve, in monerod's words. */
export const NOT_SERVED = 'RPC method not yet implemented.';

/** The parts of the node that the ZeroMQ RPC uses. */
export type ZmqServices = Pick<
  RpcServices,
  | 'chain'
  | 'p2p'
  | 'node'
  | 'pool'
  | 'transactions'
  | 'logger'
  | 'now'
  | 'commitToAmount'
  | 'blocks'
  | 'distributions'
  | 'forkVotes'
>;

/** The services and the facts of one call, passed to its handler. */
export interface ZmqContext {
  readonly services: ZmqServices;
  /** Whether the server hides private data and refuses costly requests. */
  readonly restricted: boolean;
  /** Long work calls `await yielder.yieldIfDue()` now and then. */
  readonly yielder: Yielder;
  readonly mining: ZmqMining | undefined;
  readonly setLogLevel: ((level: number) => void) | undefined;
}

/** Members of a result in the order they are sent. */
export type ZmqResult = Readonly<Record<string, ZmqValue>>;

/** A method of the ZeroMQ RPC. */
export interface ZmqMethod {
  readonly name: string;
  /** Whether a restricted server serves it. */
  readonly restricted: 'served' | 'hidden';
  /** Reads `params` and runs the method. Throws ZmqInputError and ZmqFailure. */
  readonly call: (params: JsonValue, context: ZmqContext) => Promise<ZmqResult>;
}

/** Defines a method; every parameter must be present, and all are read before the handler runs. */
export function defineZmqMethod<T extends object>(spec: {
  readonly name: string;
  readonly restricted?: 'served' | 'hidden';
  /** Readers of the parameters, or a function that returns those for a chain. */
  readonly params: Readers<T> | ((chain: ZmqServices['chain']) => Readers<T>);
  readonly handler: (params: NoInfer<T>, context: ZmqContext) => ZmqResult | Promise<ZmqResult>;
}): ZmqMethod {
  const { params } = spec;
  const readersFor = typeof params === 'function' ? params : () => params;
  return {
    name: spec.name,
    restricted: spec.restricted ?? 'served',
    call: async (given, context) => {
      const readParams = read.object(readersFor(context.services.chain));
      return spec.handler(await inSlices(readSteps(readParams, given), context.yielder), context);
    },
  };
}
