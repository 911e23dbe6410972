import type { RpcTransport } from '@monero-node/rpc-client';
import { resolveDependencies, type RpcDependencies } from './dependencies.ts';
import type { ChainCaches, RpcServices } from './context.ts';
import { RpcOptionsError } from './errors.ts';
import { isLoopback } from './gateway/addresses.ts';
import { createApp } from './gateway/app.ts';
import { ConnectionCounter } from './gateway/connection-limits.ts';
import { HostFailures } from './gateway/host-failures.ts';
import { Listener } from './gateway/listener.ts';
import { createLocalTransport } from './gateway/local-transport.ts';
import type { OnCall } from './finished-call.ts';
import { PageServer } from './gateway/page-reply.ts';
import { servesPage, type WebPage } from './page/web-page.ts';
import { createPortBudgets } from './gateway/port-budgets.ts';
import { routesOf } from './gateway/routes.ts';
import { ResponseCache } from './gateway/response-cache.ts';
import { METHODS } from './methods/index.ts';
import { SecureAcceptor } from './tls/secure-acceptor.ts';
import { resolveTls } from './tls/options.ts';
import { resolveOptions, type ResolvedRpcOptions, type RpcOptions } from './options.ts';
import { CallScheduler } from './scheduling/call-scheduler.ts';
import { Caller, CallerGroup } from './scheduling/time-shares.ts';
import { createServices } from './services.ts';

/** Slices that calls of the owner get for one of restricted ports, when both wait. */
const OWNER_WEIGHT = 3;
/** Time that clients of restricted ports may take of the event loop, milliseconds per second. */
const PUBLIC_MS_PER_SECOND = 800;

/** An address really listened on. */
export interface RpcListenAddress {
  readonly host: string;
  readonly port: number;
  readonly restricted: boolean;
}

/** Ports really listened on; undefined while not listening. */
export interface RpcPorts {
  readonly main: number | undefined;
  readonly restricted: number | undefined;
}

/** The RPC gateway: a main listener and, when asked for, a second restricted one. */
export class RpcServer {
  readonly #options: ResolvedRpcOptions;
  readonly #services: RpcServices;
  readonly #onCall: OnCall | undefined;
  readonly #scheduler = new CallScheduler();
  /** The owner: the console and the clients of a port that is not restricted. */
  readonly #owner = new CallerGroup({ weight: OWNER_WEIGHT });
  readonly #public = new CallerGroup({ msPerSecond: PUBLIC_MS_PER_SECOND });
  readonly #console = new Caller(this.#owner);
  readonly #failures: HostFailures;
  readonly #secure: SecureAcceptor | undefined;
  readonly #page: WebPage | undefined;
  #listeners: Listener[] = [];
  #addresses: RpcListenAddress[] = [];
  #ports: RpcPorts = { main: undefined, restricted: undefined };

  /** Throws RpcOptionsError when the options contradict each other or need a confirmation. */
  constructor(options: RpcOptions, dependencies: RpcDependencies) {
    const deps = resolveDependencies(dependencies);
    this.#options = resolveOptions(options);
    this.#services = createServices(deps, options);
    this.#onCall = deps.onCall;
    this.#failures = new HostFailures(deps.p2p, deps.logger);
    this.#page = deps.page;
    this.#startBootstrap();
    const tls = resolveTls(options.tls);
    this.#secure = tls === undefined ? undefined : new SecureAcceptor(tls, deps.logger);
  }

  /** Kept results, for other servers of the same node. */
  get caches(): ChainCaches {
    return this.#services;
  }

  /** Calls methods without going through a port. */
  get local(): RpcTransport {
    return createLocalTransport(this.#services, {
      scheduler: this.#scheduler,
      caller: this.#console,
      onCall: this.#onCall,
    });
  }

  get ports(): RpcPorts {
    return this.#ports;
  }

  /** Addresses listened on, those of the main port first. */
  get addresses(): readonly RpcListenAddress[] {
    return this.#addresses;
  }

  /** Listens. Rejects when an address can't be bound or TLS has no usable certificate; nothing is left listening then. */
  async start(): Promise<void> {
    const options = this.#options;
    this.#startBootstrap();
    try {
      await this.#secure?.start();
      const main = await this.#listen({
        host: options.bindIp,
        hostV6: options.bindIpv6Address,
        port: options.bindPort,
        restricted: options.restrictedRpc,
      });
      const { restrictedBindPort } = options;
      const restricted =
        restrictedBindPort === undefined
          ? undefined
          : await this.#listen({
              host: options.restrictedBindIp,
              hostV6: options.restrictedBindIpv6Address,
              port: restrictedBindPort,
              restricted: true,
            });
      this.#ports = { main, restricted };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops listening, ends the event streams, lets answers under way finish for a moment, then closes every connection. */
  async stop(): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = [];
    this.#addresses = [];
    this.#ports = { main: undefined, restricted: undefined };
    this.#secure?.stop();
    this.#services.bootstrap.stop();
    for (const channel of Object.values(this.#page?.events ?? {})) channel.close();
    await Promise.all(listeners.map((listener) => listener.stop()));
  }

  #startBootstrap(): void {
    const { bootstrapDaemon } = this.#options;
    if (bootstrapDaemon === undefined) return;
    const { address } = bootstrapDaemon;
    if (address !== '' && this.#services.bootstrap.set(address, bootstrapDaemon)) return;
    throw new RpcOptionsError(
      `--bootstrap-daemon-address ${address}: host:port, a URL or auto expected.`,
    );
  }

  /** Listens on one port over IPv4 and, when asked for, IPv6. Either may fail, within the rules of monerod, but not both. */
  async #listen({ host, hostV6, port, restricted }: Address): Promise<number> {
    const { useIpv6, ignoreIpv4 } = this.#options;
    const { logger } = this.#services;
    const makeListener = this.#listenerMaker(host, restricted);
    const bind = async (address: string, wanted: number): Promise<number> => {
      const listener = makeListener(address, wanted);
      const bound = await listener.start();
      this.#listeners.push(listener);
      this.#addresses.push({ host: address, port: bound, restricted });
      const shown = address.includes(':') ? `[${address}]` : address;
      logger.info(`RPC${restricted ? ' (restricted)' : ''} on ${shown}:${bound}`);
      return bound;
    };
    const bound = await bind(host, port).catch((error: unknown) => {
      if (!ignoreIpv4) throw error;
      logger.warn(`RPC not on ${host}: ${(error as Error).message}`);
      return undefined;
    });
    if (!useIpv6) {
      if (bound === undefined) throw new RpcOptionsError(`RPC could not listen on ${host}.`);
      return bound;
    }
    const boundV6 = await bind(hostV6, bound ?? port).catch((error: unknown) => {
      if (bound === undefined) throw error;
      logger.warn(`RPC not on ${hostV6}: ${(error as Error).message}`);
      return bound;
    });
    return bound ?? boundV6;
  }

  /** Makes the listeners of one port: they share their app, its budgets and the connection limits. */
  #listenerMaker(bindHost: string, restricted: boolean): (host: string, port: number) => Listener {
    const options = this.#options;
    const { logger, p2p } = this.#services;
    const connections = new ConnectionCounter({
      perPublicIp: options.maxConnectionsPerPublicIp,
      perPrivateIp: options.maxConnectionsPerPrivateIp,
      total: options.maxConnections,
    });
    const page = servesPage(options.page, restricted) ? this.#page : undefined;
    const browsers = {
      corsOrigins: options.corsOrigins,
      // Restricted ports are often behind a proxy that passes the public name on.
      hosts: restricted || !isLoopback(bindHost) ? undefined : options.allowedHosts,
      pageHosts: options.allowedHosts,
      hasOwnPage: page !== undefined && !restricted,
    };
    const app = createApp({
      services: this.#services,
      routes: routesOf(METHODS, this.#services, restricted),
      restricted,
      browsers,
      page: page && new PageServer({ page, view: restricted ? 'public' : 'owner', browsers }),
      login: options.login,
      budgets: createPortBudgets(restricted ? this.#public : this.#owner, restricted),
      steady: new ResponseCache(this.#services),
      softLimit: options.responseSoftLimit,
      scheduler: this.#scheduler,
      connections,
      onCall: this.#onCall,
      hostFailed: (address) => {
        if (!options.disableRpcBan) this.#failures.note(address);
      },
    });
    const secure = this.#secure;
    return (host, port) => new Listener({ host, port, connections, p2p, logger, secure }, app);
  }
}

/** Where one port listens. */
interface Address {
  readonly host: string;
  readonly hostV6: string;
  readonly port: number;
  readonly restricted: boolean;
}
