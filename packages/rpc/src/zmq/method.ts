import type { Yielder } from '@monero-node/base';
import type { JsonValue } from '@monero-node/codec';
import type { RpcServices } from '../context.ts';
import type { ZmqMining } from './dependencies.ts';
import { read, type Readers } from './read-json.ts';
import type { RenderedList } from './rendered-list.ts';

/** Ends a call with the error `Failed`. */
export class ZmqFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZmqFailure';
  }
}

/** What this program says where it can't serve a method, in monerod's words. */
export const NOT_SERVED = 'RPC method not yet implemented.';

/** What a handler may use. */
export interface ZmqContext extends RpcServices {
  /** Only what is harmless to show to strangers. */
  readonly restricted: boolean;
  /** For long work: `await yielder.yieldIfDue()` now and then. */
  readonly yielder: Yielder;
  readonly mining: ZmqMining | undefined;
  readonly setLogLevel: ((level: number) => void) | undefined;
}

/** Members of a result in the order they are sent. */
export type ZmqResult = Readonly<Record<string, JsonValue | RenderedList>>;

export interface ZmqMethod {
  readonly name: string;
  /** Whether a restricted server serves it. */
  readonly restricted: 'served' | 'hidden';
  /** Reads `params` and runs the method. Throws ZmqInputError and ZmqFailure. */
  readonly call: (params: JsonValue, context: ZmqContext) => Promise<ZmqResult>;
}

/** Defines a method; its parameters must all be there and are read before anything else happens. */
export function defineZmqMethod<T extends object>(spec: {
  readonly name: string;
  readonly restricted?: 'served' | 'hidden';
  readonly params: Readers<T>;
  readonly handler: (params: NoInfer<T>, context: ZmqContext) => ZmqResult | Promise<ZmqResult>;
}): ZmqMethod {
  const readParams = read.object(spec.params);
  return {
    name: spec.name,
    restricted: spec.restricted ?? 'served',
    call: async (params, context) => spec.handler(readParams(params), context),
  };
}
