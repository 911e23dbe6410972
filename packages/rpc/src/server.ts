import { checkOptions } from '@monero-node/base/options';
import { isLoopback, plainHost } from '@monero-node/p2p/hosts';
import type { RpcTransport } from '@monero-node/rpc-client';
import type { Socket } from 'node:net';
import {
  resolveDependencies,
  type RpcDependencies,
  type RpcWorkersOptions,
} from './dependencies.ts';
import type { ChainCaches, RpcServices } from './context.ts';
import { RpcOptionsError } from './errors.ts';
import { CurrentApp } from './gateway/app.ts';
import type { AppParts } from './gateway/app-parts.ts';
import type { BrowserRules } from './gateway/answers/browser-guard.ts';
import { bindFamilies, type FamilyAddresses } from './gateway/connections/bind-families.ts';
import { EventFeed } from './events/event-feed.ts';
import { ConnectionCounter } from './gateway/connections/connection-limits.ts';
import { EventsServer, joinedSource } from './gateway/events-server.ts';
import { Callers } from './gateway/limits/callers.ts';
import { HostFailures } from './gateway/limits/host-failures.ts';
import { Listener } from './gateway/connections/listener.ts';
import { createLocalTransport } from './gateway/local-transport.ts';
import type { OnCall } from './finished-call.ts';
import { PageServer, type PageSource } from './gateway/page-reply.ts';
import { servesPage, type WebPage } from './page/web-page.ts';
import { createPortBudgets, memoryShare } from './gateway/limits/port-budgets.ts';
import { routesOf } from './gateway/answers/routes.ts';
import { ResponseCache } from './gateway/answers/response-cache.ts';
import { localGate } from './gateway/connections/client-gate.ts';
import { TrustedProxies } from './gateway/connections/trusted-proxies.ts';
import { NonceLedger } from './login/nonce-uses.ts';
import { newNonceKey, Nonces } from './login/nonces.ts';
import { METHODS } from './methods/index.ts';
import { HandshakeQueue } from './tls/handshake-queue.ts';
import { SecureAcceptor } from './tls/secure-acceptor.ts';
import { resolveTls } from './tls/options.ts';
import {
  changeRpcOptions,
  clientLimitsOf,
  connectionLimitsOf,
  resolveRpcOptions,
  type LiveRpcOptions,
  type ResolvedRpcOptions,
  type RpcOptions,
} from './options.ts';
import { RPC_OPTIONS } from './option-table.ts';
import { CallScheduler } from './scheduling/call-scheduler.ts';
import { createPortShares } from './scheduling/port-shares.ts';
import { meanSaturation, SaturationMeter } from './scheduling/saturation.ts';
import { Caller } from './scheduling/time-shares.ts';
import { createServices } from './services.ts';
import type { PortName } from './workers/channel.ts';
import { WorkerHost } from './workers/worker-host.ts';
import type { RpcLoad } from './workers/worker-slot.ts';

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
  #options: ResolvedRpcOptions;
  readonly #services: RpcServices;
  readonly #onCall: OnCall | undefined;
  readonly #wantsCalls: () => boolean;
  readonly #scheduler = new CallScheduler();
  readonly #shares = createPortShares();
  readonly #meter = new SaturationMeter({
    shares: this.#shares,
    memory: () => this.#served.map(({ parts }) => memoryShare(parts.budgets)),
  });
  readonly #console = new Caller(this.#shares.owner);
  readonly #failures: HostFailures;
  readonly #nonceKey = newNonceKey();
  readonly #nonces = new Nonces(this.#nonceKey);
  readonly #proxies: TrustedProxies;
  readonly #usedNonces = new NonceLedger(this.#nonces);
  readonly #secure: SecureAcceptor | undefined;
  readonly #page: WebPage | undefined;
  readonly #events: EventFeed | undefined;
  readonly #workers: WorkerHost | undefined;
  #listeners: Listener[] = [];
  #addresses: { readonly name: PortName; readonly host: string; readonly port: number }[] = [];
  #served: ServedPort[] = [];
  #ports: RpcPorts = { main: undefined, restricted: undefined };

  /**
   * Throws RpcOptionsError when the options contradict each other or need a confirmation, and OptionError for a missing or an unknown
   * option: a restriction that was ignored would let strangers in.
   */
  constructor(options: RpcOptions, dependencies: RpcDependencies) {
    checkOptions('RpcServer', options, RPC_OPTIONS);
    const deps = resolveDependencies(dependencies);
    this.#options = resolveRpcOptions(options);
    this.#proxies = new TrustedProxies(this.#options.trustedProxies);
    this.#services = createServices(deps, options);
    this.#onCall = deps.onCall;
    this.#wantsCalls = deps.onCall === undefined ? () => false : (deps.wantsCalls ?? (() => true));
    this.#failures = new HostFailures(deps.p2p, deps.logger);
    this.#page = deps.page;
    this.#events = deps.events && new EventFeed(deps.blockchain.store, deps.events);
    this.#startBootstrap();
    const tls = resolveTls(options.tls);
    this.#secure = tls === undefined ? undefined : new SecureAcceptor(tls, deps.logger);
    const { workers } = dependencies;
    this.#workers = workers && this.#createWorkers(workers);
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

  /**
   * Returns what takes TLS connections with the certificate of this server and hands them to `serve`, for another server of the same
   * node; undefined while TLS is off. To be called once this server has started. Handshakes take their time from that of restricted ports.
   */
  acceptTls(serve: (socket: Socket) => void): ((socket: Socket) => void) | undefined {
    const callers = new Callers(this.#shares.public);
    const queue = new HandshakeQueue({ of: (address) => callers.of(plainHost(address)) });
    return this.#secure?.acceptFor(serve, () => queue);
  }

  get ports(): RpcPorts {
    return this.#ports;
  }

  /** How much of what the node has for answers is in use, and how its workers are. */
  get load(): RpcLoad {
    const saturation = Math.max(this.#meter.value, meanSaturation(this.#workers?.serving ?? []));
    return { saturation, workers: this.#workers?.counts };
  }

  /** Addresses listened on, those of the main port first. */
  get addresses(): readonly RpcListenAddress[] {
    return this.#addresses.map(({ name, host, port }) => {
      return { host, port, restricted: this.#isRestricted(name) };
    });
  }

  /** Listens. Rejects when an address can't be bound or TLS has no usable certificate; nothing is left listening then. */
  async start(): Promise<void> {
    const options = this.#options;
    this.#startBootstrap();
    try {
      this.#events?.start();
      await this.#secure?.start();
      const main = await this.#listen({
        host: options.bindIp,
        hostV6: options.bindIpv6Address,
        port: options.bindPort,
        name: 'main',
      });
      const { restrictedBindPort } = options;
      const restricted =
        restrictedBindPort === undefined
          ? undefined
          : await this.#listen({
              host: options.restrictedBindIp,
              hostV6: options.restrictedBindIpv6Address,
              port: restrictedBindPort,
              name: 'restricted',
            });
      this.#ports = { main, restricted };
      await this.#secure?.ready();
      await this.#workers?.start();
      this.#meter.start();
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
    this.#served = [];
    this.#ports = { main: undefined, restricted: undefined };
    this.#meter.stop();
    this.#secure?.stop();
    this.#services.bootstrap.stop();
    for (const channel of Object.values(this.#page?.events ?? {})) channel.close();
    this.#events?.stop();
    await Promise.all([...listeners.map((listener) => listener.stop()), this.#workers?.stop()]);
  }

  /** The same as {@link RpcServer.stop}. */
  readonly [Symbol.asyncDispose] = (): Promise<void> => this.stop();

  #startBootstrap(): void {
    const { bootstrapDaemon } = this.#options;
    if (bootstrapDaemon === undefined) return;
    const { address } = bootstrapDaemon;
    if (address !== '' && this.#services.bootstrap.set(address, bootstrapDaemon)) return;
    throw new RpcOptionsError(
      `--bootstrap-daemon-address ${address}: host:port, a URL or auto expected.`,
    );
  }

  /** Listens on one port over IPv4 and, when asked for, IPv6. */
  #listen({ name, ...address }: Address): Promise<number> {
    const { logger } = this.#services;
    const makeListener = this.#listenerMaker(address.host, name);
    const bind = async (host: string, port: number): Promise<number> => {
      const listener = makeListener(host, port);
      const bound = await listener.start();
      this.#listeners.push(listener);
      this.#addresses.push({ name, host, port: bound });
      const shown = host.includes(':') ? `[${host}]` : host;
      logger.info(`RPC${this.#isRestricted(name) ? ' (restricted)' : ''} on ${shown}:${bound}`);
      return bound;
    };
    return bindFamilies(address, { ...this.#options, bind, logger });
  }

  /** Makes the listeners of one port: they share their app, its budgets and the connection limits. */
  #listenerMaker(bindHost: string, name: PortName): (host: string, port: number) => Listener {
    const options = this.#options;
    const { logger, p2p } = this.#services;
    const connections = new ConnectionCounter({
      ...connectionLimitsOf(options),
      proxies: this.#proxies,
    });
    const place = { name, bindHost, connections };
    const parts = this.#partsOf(place);
    const app = new CurrentApp(parts);
    const served: ServedPort = { ...place, parts, app };
    this.#served.push(served);
    const secure = this.#secure;
    const { proxied } = parts;
    const handshakes = () => served.parts.budgets.handshakes;
    const listener = { connections, p2p, logger, secure, handshakes, proxied };
    const workers = this.#workers;
    if (workers === undefined)
      return (host, port) => new Listener({ host, port, ...listener }, app.listener);
    workers.addPort(name, { app: parts, connections });
    const sharing = {
      handOver: (socket: Socket, keepHere: () => void) => workers.handOver(name, socket, keepHere),
      makeRoom: () => workers.makeRoom(name),
    };
    return (host, port) => new Listener({ host, port, ...listener, ...sharing }, app.listener);
  }

  /**
   * Returns the parts of a port under the options of now.
   *
   * @param before its parts until now, whose budgets and kept answers stay unless the port shows another view from now on
   */
  #partsOf({ name, bindHost, connections }: PortPlace, before?: AppParts): AppParts {
    const options = this.#options;
    const restricted = this.#isRestricted(name);
    const browsers = {
      corsOrigins: options.corsOrigins,
      // Restricted ports are often behind a proxy that passes the public name on.
      hosts: restricted || !isLoopback(bindHost) ? undefined : options.allowedHosts,
      pageHosts: options.allowedHosts,
      hasOwnPage: !restricted && this.#page !== undefined && servesPage(options.page, restricted),
    };
    const kept = before?.restricted === restricted ? before : undefined;
    const shares = restricted ? this.#shares.public : this.#shares.owner;
    return {
      services: this.#services,
      routes: routesOf(METHODS, this.#services, restricted),
      restricted,
      browsers,
      page: kept?.page ?? this.#sourceOf(restricted, browsers),
      login: options.login && {
        login: options.login,
        nonces: this.#nonces,
        uses: this.#usedNonces,
      },
      budgets: kept?.budgets ?? createPortBudgets(shares, restricted),
      steady: kept?.steady ?? new ResponseCache(this.#services),
      clientLimits: options,
      scheduler: this.#scheduler,
      connections,
      proxied: { proxies: this.#proxies, gate: localGate(connections, this.#services.p2p) },
      onCall: () => (this.#wantsCalls() ? this.#onCall : undefined),
      hostFailed: (address) => this.#hostFailed(address),
    };
  }

  /** Returns what a port serves besides methods: the page, where it is shown, and the stream of events. */
  #sourceOf(restricted: boolean, browsers: BrowserRules): PageSource | undefined {
    const shown = servesPage(this.#options.page, restricted) ? this.#page : undefined;
    const view = restricted ? 'public' : 'owner';
    const page = shown && new PageServer({ page: shown, view, browsers });
    const [feed, scheduler] = [this.#events, this.#scheduler];
    const events = feed && new EventsServer({ feed, scheduler, restricted, browsers });
    return page && events ? joinedSource(page, events) : (page ?? events);
  }

  #isRestricted(name: PortName): boolean {
    return name === 'restricted' || this.#options.restrictedRpc;
  }

  /**
   * Checks other values of the options that may change while the server runs. Returns the function that makes them hold, for the
   * connections that are open too; a port that shows another view from then on closes its own.
   *
   * Throws RpcOptionsError for values that contradict each other or the other options.
   */
  prepare(changes: LiveRpcOptions): () => void {
    const options = changeRpcOptions(this.#options, changes);
    // Throws for an entry of another form.
    new TrustedProxies(options.trustedProxies);
    return () => this.#change(options);
  }

  #change(options: ResolvedRpcOptions): void {
    this.#options = options;
    this.#proxies.replace(options.trustedProxies);
    for (const port of this.#served) {
      const before = port.parts;
      port.connections.setLimits(connectionLimitsOf(options));
      port.parts = this.#partsOf(port, before);
      port.app.replace(port.parts);
      this.#workers?.addPort(port.name, { app: port.parts, connections: port.connections });
      if (before.restricted !== port.parts.restricted) port.connections.closeAll();
    }
    const { trustedProxies } = options;
    this.#workers?.change({ clientLimits: clientLimitsOf(options), trustedProxies });
  }

  #hostFailed(address: string): void {
    if (this.#options.disableRpcBan !== true) this.#failures.note(address);
  }

  #createWorkers({ count, store, storePath }: RpcWorkersOptions): WorkerHost {
    const { login, tls, trustedProxies } = this.#options;
    const { chain, node } = this.#services;
    const { startTime, version, offline, dataDir } = node;
    return new WorkerHost(
      {
        count,
        setup: {
          storePath,
          dataDir,
          login,
          startTime,
          version,
          offline,
          network: chain.network,
          tls: resolveTls(tls),
          clientLimits: clientLimitsOf(this.#options),
          nonceKey: this.#nonceKey,
          trustedProxies,
        },
      },
      {
        store,
        services: this.#services,
        onCall: this.#onCall,
        wantsCalls: this.#wantsCalls,
        credentials: () => this.#secure?.credentials,
        hostFailed: (address) => this.#hostFailed(address),
        nonces: this.#usedNonces,
      },
    );
  }
}

/** Where one port listens. */
interface Address extends FamilyAddresses {
  readonly name: PortName;
}

/** What stays of a port when options change. */
interface PortPlace {
  readonly name: PortName;
  readonly bindHost: string;
  readonly connections: ConnectionCounter;
}

/** A port whose listeners share an app. */
interface ServedPort extends PortPlace {
  readonly app: CurrentApp;
  parts: AppParts;
}
