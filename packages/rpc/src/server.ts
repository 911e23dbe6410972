import { createReferenceBackend } from '@monero-node/crypto';
import { ForkVotes } from './chain/fork-votes.ts';
import { OutputDistributions } from './chain/output-distributions.ts';
import type { RpcDependencies, RpcServices } from './context.ts';
import { Admission } from './gateway/admission.ts';
import { createApp } from './gateway/app.ts';
import { ConnectionCounter } from './gateway/connection-limits.ts';
import { HostFailures } from './gateway/host-failures.ts';
import { Listener } from './gateway/listener.ts';
import { routesOf } from './gateway/routes.ts';
import { UnsentAnswers } from './gateway/unsent-answers.ts';
import { METHODS } from './methods/index.ts';
import { resolveOptions, type ResolvedRpcOptions, type RpcOptions } from './options.ts';
import { EMPTY_POOL } from './pool.ts';
import { Turns } from './turns.ts';

/** Ports really listened on; undefined while not listening. */
export interface RpcPorts {
  readonly main: number | undefined;
  readonly restricted: number | undefined;
}

/** The RPC gateway: a main listener and, when asked for, a second restricted one. */
export class RpcServer {
  readonly #options: ResolvedRpcOptions;
  readonly #services: RpcServices;
  readonly #turns = new Turns();
  readonly #admission = new Admission();
  readonly #unsent = new UnsentAnswers();
  readonly #failures: HostFailures;
  #listeners: Listener[] = [];
  #ports: RpcPorts = { main: undefined, restricted: undefined };

  /** Throws RpcOptionsError when the options contradict each other or need a confirmation. */
  constructor(options: RpcOptions, deps: RpcDependencies) {
    this.#options = resolveOptions(options);
    this.#services = servicesOf(deps);
    this.#failures = new HostFailures(deps.p2p, deps.logger);
  }

  get ports(): RpcPorts {
    return this.#ports;
  }

  /** Listens. Rejects when an address can't be bound; nothing is left listening then. */
  async start(): Promise<void> {
    const { bindIp, bindPort, restrictedBindIp, restrictedBindPort, restrictedRpc } = this.#options;
    try {
      const main = await this.#listen(bindIp, bindPort, restrictedRpc);
      const restricted =
        restrictedBindPort === undefined
          ? undefined
          : await this.#listen(restrictedBindIp, restrictedBindPort, true);
      this.#ports = { main, restricted };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops listening, lets answers under way finish for a moment, then closes every connection. */
  async stop(): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = [];
    this.#ports = { main: undefined, restricted: undefined };
    await Promise.all(listeners.map((listener) => listener.stop()));
  }

  async #listen(host: string, port: number, restricted: boolean): Promise<number> {
    const options = this.#options;
    const { logger, p2p } = this.#services;
    const connections = new ConnectionCounter({
      perPublicIp: options.maxConnectionsPerPublicIp,
      perPrivateIp: options.maxConnectionsPerPrivateIp,
      total: options.maxConnections,
    });
    const app = createApp({
      services: this.#services,
      routes: routesOf(METHODS, this.#services, restricted),
      restricted,
      corsOrigins: options.corsOrigins,
      login: options.login,
      admission: this.#admission,
      unsent: this.#unsent,
      softLimit: options.responseSoftLimit,
      turns: this.#turns,
      connectionCount: () => connections.total,
      hostFailed: (address) => {
        if (!options.disableRpcBan) this.#failures.note(address);
      },
    });
    const listener = new Listener({ host, port, connections, p2p, logger }, app);
    const bound = await listener.start();
    this.#listeners.push(listener);
    logger.info(`RPC${restricted ? ' (restricted)' : ''} on ${host}:${bound}`);
    return bound;
  }
}

function servicesOf(deps: RpcDependencies): RpcServices {
  const backend = createReferenceBackend();
  return {
    chain: deps.blockchain,
    p2p: deps.p2p,
    node: deps.node,
    pool: deps.pool ?? EMPTY_POOL,
    pow: deps.pow,
    logger: deps.logger,
    now: deps.now ?? (() => Math.floor(Date.now() / 1000)),
    commitToAmount: (amount) => backend.commitToAmount(amount),
    distributions: new OutputDistributions(),
    forkVotes: new ForkVotes(),
    usage: new Map(),
  };
}
