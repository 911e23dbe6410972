import type { Socket } from 'node:net';
import type { RpcServices } from '../context.ts';
import type { AppParts } from '../gateway/app-parts.ts';
import { CurrentApp } from '../gateway/app.ts';
import type { Reply } from '../gateway/answers/reply.ts';
import type { CallRequest, Origin } from '../gateway/call-request.ts';
import type { ClientLimits } from '../gateway/connections/connection.ts';
import { ConnectionCounter } from '../gateway/connections/connection-limits.ts';
import { Listener } from '../gateway/connections/listener.ts';
import type { MainProcess } from '../gateway/main-process.ts';
import { createPortBudgets, memoryShare } from '../gateway/limits/port-budgets.ts';
import { ResponseCache } from '../gateway/answers/response-cache.ts';
import { endsOf } from '../gateway/connections/seat.ts';
import { routesOf } from '../gateway/answers/routes.ts';
import { METHODS } from '../methods/index.ts';
import { AskMainError } from '../errors.ts';
import type { RpcMethod } from '../method.ts';
import { CallScheduler } from '../scheduling/call-scheduler.ts';
import type { PortShares } from '../scheduling/port-shares.ts';
import type { ListenerLogin } from '../login/digest-session.ts';
import type { NonceUses } from '../login/nonce-uses.ts';
import { Nonces } from '../login/nonces.ts';
import type { ProxiedClients } from '../gateway/connections/client-gate.ts';
import type { TrustedProxies } from '../gateway/connections/trusted-proxies.ts';
import type { SecureAcceptor } from '../tls/secure-acceptor.ts';
import type { PortName, PortRules, ToMain, WorkerSetup } from './channel.ts';
import type { MainClient } from './main-client.ts';
import type { KnownFacts } from './worker-services.ts';

export interface WorkerPortParts {
  readonly setup: WorkerSetup;
  /** The time of this process. */
  readonly shares: PortShares;
  readonly proxies: TrustedProxies;
  readonly services: RpcServices;
  readonly facts: KnownFacts;
  readonly mainClient: MainClient;
  readonly secure: SecureAcceptor | undefined;
  readonly onCall: AppParts['onCall'];
  readonly send: (message: ToMain) => void;
}

/** One port in a worker: serves the connections that the main process hands over. */
export interface WorkerPort {
  readonly listener: Listener;
  readonly connections: ConnectionCounter;
  /** Returns the share of the port's memory that is in use. */
  readonly memoryShare: () => number;
  /** Serves a connection, by the number that the main process gave it. */
  readonly adopt: (id: number, socket: Socket) => void;
  /** Requests that begin from now on follow other rules; a port that shows another view from then on closes its connections. */
  readonly apply: (rules: PortRules, clientLimits: ClientLimits) => void;
}

/** Returns the ports of a worker. */
export function createWorkerPorts(parts: WorkerPortParts): Partial<Record<PortName, WorkerPort>> {
  const login = workerLogin(parts);
  const own = { scheduler: new CallScheduler(), shares: parts.shares, login };
  const { main, restricted } = parts.setup.ports;
  return {
    ...(main && { main: createPort('main', main, own, parts) }),
    ...(restricted && { restricted: createPort('restricted', restricted, own, parts) }),
  };
}

const NO_LIMITS = { perPublicIp: Infinity, perPrivateIp: Infinity, total: Infinity };

/** The connections of one port that a worker has. The main process has counted them; it reports how many the port has in all. */
class WorkerConnectionCounter extends ConnectionCounter {
  readonly #all: () => number;

  constructor(all: () => number) {
    super(NO_LIMITS);
    this.#all = all;
  }

  override get total(): number {
    return this.#all();
  }
}

/** The parts that the ports of a worker share. */
interface SharedParts {
  readonly scheduler: CallScheduler;
  readonly shares: PortShares;
  readonly login: ListenerLogin | undefined;
}

/** The login of a worker: the main process notes which nonces have been used, of all workers. */
function workerLogin({ setup, mainClient, send }: WorkerPortParts): ListenerLogin | undefined {
  const { login, nonceKey } = setup;
  if (login === undefined) return undefined;
  const nonces = new Nonces(nonceKey);
  const uses: NonceUses = {
    claim: (nonce) => {
      send({ kind: 'claim-nonce', nonce });
      return true;
    },
    spend: (nonce, count) =>
      nonces.madeAt(nonce) === undefined ? false : mainClient.spendNonce(nonce, count),
  };
  return { login, nonces, uses };
}

function createPort(
  name: PortName,
  first: PortRules,
  shared: SharedParts,
  worker: WorkerPortParts,
): WorkerPort {
  const { setup, services, facts, mainClient, secure, send } = worker;
  const connections = new WorkerConnectionCounter(() => facts.current.connections[name]);
  const ids = new Map<string, number>();
  const proxied = workerProxiedClients(worker.proxies, ids, mainClient, send);
  const place = { name, connections, proxied, shared, worker };
  let parts = portParts(place, first, setup.clientLimits);
  const app = new CurrentApp(parts);
  const { p2p, logger } = services;
  const handshakes = () => parts.budgets.handshakes;
  const common = { connections, p2p, logger, secure, handshakes, proxied };
  const listener = new Listener({ host: '', port: 0, ...common }, app.listener);
  listener.startAdopting();
  const adopt = (id: number, socket: Socket): void => {
    const ends = endsOf(socket);
    ids.set(ends, id);
    socket.once('close', () => {
      if (ids.get(ends) === id) ids.delete(ends);
    });
    listener.adopt(socket);
  };
  const apply = (rules: PortRules, clientLimits: ClientLimits): void => {
    const before = parts;
    parts = portParts(place, rules, clientLimits, before);
    app.replace(parts);
    if (before.restricted !== parts.restricted) connections.closeAll();
  };
  return { listener, connections, memoryShare: () => memoryShare(parts.budgets), adopt, apply };
}

/** What stays of a port when its rules change. */
interface PortPlace {
  readonly name: PortName;
  readonly connections: ConnectionCounter;
  readonly proxied: ProxiedClients;
  readonly shared: SharedParts;
  readonly worker: WorkerPortParts;
}

/**
 * Returns the parts of a port under some rules.
 *
 * @param before its parts until now, whose budgets and kept answers stay unless the port shows another view from now on
 */
function portParts(
  { name, connections, proxied, shared, worker }: PortPlace,
  rules: PortRules,
  clientLimits: ClientLimits,
  before?: AppParts,
): AppParts {
  const { setup, services, facts, mainClient, onCall, send } = worker;
  const { restricted, browsers } = rules;
  const { scheduler, shares, login } = shared;
  const kept = before?.restricted === restricted ? before : undefined;
  const group = restricted ? shares.public : shares.owner;
  const pass = (request: CallRequest, origin: Origin, isForPage: boolean): Promise<Reply> =>
    mainClient.pass({ ...request, port: name, address: origin.address, isForPage }, origin);
  const main: MainProcess = {
    get takesAll() {
      return facts.current.bootstrapped;
    },
    pass: (request, origin) => pass(request, origin, false),
  };
  const nothing = new Uint8Array(0);
  return {
    services,
    routes: routesOf(methodsOf(rules), services, restricted),
    restricted,
    browsers,
    main,
    scheduler,
    connections,
    onCall,
    proxied,
    page: {
      paths: rules.pagePaths,
      // The main process looks for itself which page has asked.
      reply: ({ request, origin }) =>
        pass({ ...request, body: nothing, fromForeignPage: false }, origin, true),
    },
    login,
    budgets: kept?.budgets ?? createPortBudgets(group, restricted, setup.workers),
    steady: kept?.steady ?? new ResponseCache(services),
    clientLimits,
    hostFailed: (address) => send({ kind: 'host-failed', address }),
  };
}

/** Trusted proxies in a worker: the main process counts their clients, of all workers. */
function workerProxiedClients(
  proxies: TrustedProxies,
  ids: ReadonlyMap<string, number>,
  mainClient: MainClient,
  send: WorkerPortParts['send'],
): ProxiedClients {
  const idOf = (socket: Socket): number => ids.get(endsOf(socket)) ?? 0;
  return {
    proxies,
    gate: {
      enter: (socket, address) => mainClient.clientVerdict(idOf(socket), address),
      leave: (socket) => send({ kind: 'client-left', id: idOf(socket) }),
    },
  };
}

/** Returns the methods of a port; those that only the main process can answer throw AskMainError. */
function methodsOf({ methods }: PortRules): RpcMethod[] {
  const served = new Set(methods);
  return METHODS.filter(({ name }) => served.has(name)).map((method) => ({
    ...method,
    available: undefined,
    ...(method.answeredBy === 'main' && { call: () => Promise.reject(new AskMainError()) }),
  }));
}
