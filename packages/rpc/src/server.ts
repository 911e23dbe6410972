import type { RpcDependencies } from './context.ts';
import type { RpcOptions } from './options.ts';

/** Ports really listened on; undefined while not listening. */
export interface RpcPorts {
  main: number | undefined;
  restricted: number | undefined;
}

/** The RPC gateway: a main listener and, when asked for, a second restricted one. */
export class RpcServer {
  #ports: RpcPorts = { main: undefined, restricted: undefined };

  constructor(_options: RpcOptions, _deps: RpcDependencies) {}

  /** Listens. Rejects when an address can't be bound or isn't allowed; nothing is left listening then. */
  async start(): Promise<void> {
    throw new Error('not available yet');
  }

  /** Stops listening, lets answers under way finish for a moment, then closes every connection. */
  async stop(): Promise<void> {}

  get ports(): Readonly<RpcPorts> {
    return this.#ports;
  }
}
