import type { Socket } from 'node:net';
import { monotonicMilliseconds, Periodic } from '@monero-node/base';
import type { CommitShare, CopyableStore } from '@monero-node/storage';
import type { RpcServices } from '../context.ts';
import type { OnCall } from '../finished-call.ts';
import type { AppParts } from '../gateway/app-parts.ts';
import type { ConnectionCounter } from '../gateway/connections/connection-limits.ts';
import type { NonceLedger } from '../login/nonce-uses.ts';
import type { Credentials } from '../tls/credentials.ts';
import {
  answerPool,
  collectFacts,
  type NodeFacts,
  type PortName,
  type ToMain,
  type WorkerRules,
  type WorkerSetup,
} from './channel.ts';
import { IDLE, SILENT } from '../gateway/connections/seat.ts';
import { WorkerSlot, type WorkerCounts } from './worker-slot.ts';

/** Milliseconds between two looks at the figures of the node. */
const FACTS_MS = 100;
/** Milliseconds after which a worker that has not begun to serve, or has not followed the chain, is replaced. */
const STUCK_MS = 60_000;
/** Milliseconds until a worker that died is replaced; doubled each time that one dies young. */
const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 60_000;
/** Milliseconds of life after which a worker has not died young. */
const YOUNG_MS = 30_000;
/** Time of the workers to finish their answers when the server stops, milliseconds. */
const STOP_MS = 4000;
/** Time of a killed worker to be gone, milliseconds. */
const KILLED_MS = 1000;
/** Longest time for which the answer to a call that changes something waits for the workers to see the change. */
const SEEN_MS = 1000;

export interface WorkerHostOptions {
  readonly count: number;
  /** Everything but the ports, which are there once the server listens. */
  readonly setup: Omit<WorkerSetup, 'workers' | 'ports'>;
}

export interface WorkerHostDependencies {
  readonly store: Pick<CopyableStore, 'shareCommits'>;
  readonly services: RpcServices;
  readonly onCall: OnCall | undefined;
  /** Returns whether `onCall` has a use for the calls that begin now. */
  readonly wantsCalls: () => boolean;
  readonly credentials: () => Promise<Credentials> | undefined;
  readonly hostFailed: (address: string) => void;
  /** The used nonces of the login. */
  readonly nonces: NonceLedger;
}

/** A port of this process whose connections workers serve. */
export interface SharedPort {
  readonly app: AppParts;
  readonly connections: ConnectionCounter;
}

/**
 * The worker processes of the RPC. This process accepts connections, counts them and hands each to the worker that has the
 * fewest; while no worker is ready it serves them itself. It names every commit of the database to the workers, which read
 * that one from then on.
 *
 * A client never finds the chain older than it was: messages to a worker take effect in their order, the name of a commit is
 * sent before any answer that could show it, and the answer to a call that was passed on waits until all workers read
 * the same commit.
 */
export class WorkerHost {
  readonly #options: WorkerHostOptions;
  readonly #deps: WorkerHostDependencies;
  readonly #ports = new Map<PortName, SharedPort>();
  readonly #slots = new Set<WorkerSlot>();
  readonly #facts = new Periodic(FACTS_MS, () => {
    this.#tellFacts();
    this.#look();
  });
  readonly #restarts = new Set<NodeJS.Timeout>();
  #share: CommitShare | undefined;
  #told = '';
  #freeSpace = 0;
  #connections = 0;
  #delay = FIRST_DELAY_MS;
  #endedCount = 0;
  #credentials: Credentials | undefined;
  #isStopping = false;
  #rules: Pick<WorkerRules, 'clientLimits' | 'trustedProxies'>;

  constructor(options: WorkerHostOptions, dependencies: WorkerHostDependencies) {
    this.#options = options;
    this.#rules = options.setup;
    this.#deps = dependencies;
  }

  /** Adds a port, before `start`, or takes other rules for it, before `change`. Both kinds of its listeners share it. */
  addPort(name: PortName, port: SharedPort): void {
    this.#ports.set(name, port);
  }

  /** Has the workers serve by the rules that the ports have by now, and by these. */
  change(rules: Pick<WorkerRules, 'clientLimits' | 'trustedProxies'>): void {
    this.#rules = rules;
    const { ports } = this.#setup();
    const { clientLimits, trustedProxies } = rules;
    const message = { kind: 'rules', rules: { ports, clientLimits, trustedProxies } } as const;
    for (const slot of this.#slots) slot.send(message);
  }

  /** Starts the workers; connections are served in this process until they are ready. */
  async start(): Promise<void> {
    this.#freeSpace = await this.#deps.services.node.freeSpace().catch(() => 0);
    this.#share = await this.#deps.store.shareCommits((failure) => this.#committed(failure));
    this.#deps.credentials()?.then(
      (credentials) => {
        this.#credentials = credentials;
        for (const slot of this.#slots) slot.send({ kind: 'credentials', credentials });
      },
      () => undefined,
    );
    this.#facts.start();
    for (let count = 0; count < this.#options.count; count++) this.#startWorker();
    this.#log.info(`RPC calls are answered by ${this.#options.count} worker processes`);
  }

  /** Lets the workers finish their answers for a moment, and ends them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#facts.stop();
    for (const timer of this.#restarts) clearTimeout(timer);
    for (const slot of this.#slots) slot.send({ kind: 'stop' });
    const end = monotonicMilliseconds() + STOP_MS;
    await this.#until(() => this.#slots.size === 0, end);
    for (const slot of this.#slots) slot.kill();
    await this.#until(() => this.#slots.size === 0, monotonicMilliseconds() + KILLED_MS);
    // A process that the system cannot end may still read.
    if (this.#slots.size === 0) this.#share?.end();
    this.#share = undefined;
  }

  /** Hands a new connection to the worker with the fewest. Returns false when none is ready. `keepHere` serves it in this process. */
  handOver(port: PortName, socket: Socket, keepHere: () => void): boolean {
    if (this.#isStopping) return false;
    const serving = this.serving;
    const [first] = serving;
    if (first === undefined) return false;
    const slot = serving.reduce((best, one) =>
      one.connections.size < best.connections.size ? one : best,
    );
    this.#tellFacts();
    slot.connect(++this.#connections, { port, socket, keepHere });
    return true;
  }

  /**
   * Has a worker close a connection of a port that waits for its client: a silent one, if there is one, of the worker with most.
   * Resolves with whether one was closed.
   */
  async makeRoom(port: PortName): Promise<boolean> {
    for (const atLeast of [SILENT, IDLE]) {
      const slots = this.serving.filter(({ connections }) => connections.count(port) > 0);
      slots.sort((a, b) => b.connections.count(port) - a.connections.count(port));
      for (const slot of slots)
        if (slot.isServing && (await slot.makeRoom(port, atLeast))) return true;
    }
    return false;
  }

  /** How the workers are. */
  get counts(): WorkerCounts {
    return { serving: this.serving.length, wanted: this.#options.count, ended: this.#endedCount };
  }

  /** The workers that take connections. */
  get serving(): readonly WorkerSlot[] {
    return [...this.#slots].filter(({ isServing }) => isServing);
  }

  get #log(): RpcServices['logger'] {
    return this.#deps.services.logger.child('global');
  }

  #startWorker(): void {
    if (this.#isStopping || this.#share === undefined) return;
    const slot = new WorkerSlot({
      onMessage: (from, message) => this.#take(from, message),
      onEnd: (ended, how) => this.#ended(ended, how),
      ports: (name) => this.#ports.get(name)?.app,
      settled: () => this.#settled(),
    });
    slot.reading = this.#share.commit;
    this.#slots.add(slot);
    const { commit } = this.#share;
    const facts = this.#currentFacts();
    slot.send({ kind: 'begin', setup: this.#setup(), facts });
    if (this.#credentials !== undefined)
      slot.send({ kind: 'credentials', credentials: this.#credentials });
    slot.send({ kind: 'commit', commit, facts: undefined });
  }

  #setup(): WorkerSetup {
    const { count, setup } = this.#options;
    const rules = (name: PortName): WorkerSetup['ports'] => {
      const port = this.#ports.get(name);
      if (port === undefined) return {};
      const { routes, restricted, browsers, page } = port.app;
      const methods = new Set(
        [routes.names, routes.jsonPaths, routes.binaryPaths].flatMap((by) =>
          [...by.values()].map((method) => method.name),
        ),
      );
      const pagePaths = page?.paths ?? [];
      return { [name]: { restricted, browsers, pagePaths, methods: [...methods] } };
    };
    const { clientLimits, trustedProxies } = this.#rules;
    const ports = { ...rules('main'), ...rules('restricted') };
    return { ...setup, clientLimits, trustedProxies, workers: count, ports };
  }

  #take(slot: WorkerSlot, message: ToMain): void {
    const { onCall, services, hostFailed, nonces } = this.#deps;
    switch (message.kind) {
      case 'ready':
        slot.ready();
        return;
      case 'beat':
        return;
      case 'reading':
        slot.reads(message.commit, this.#share?.commit ?? 0);
        this.#reached();
        return;
      case 'accepted':
        slot.connections.accepted(message.id, (port, socket) =>
          this.#ports.get(port)?.connections.move(socket),
        );
        return;
      case 'closed':
        slot.connections.closed(message.id);
        return;
      case 'room':
        slot.roomAnswered(message.call, message.isMade);
        return;
      case 'call':
      case 'more':
      case 'abandon':
        slot.answer(message);
        return;
      case 'pool':
        void answerPool(services, message).then((answered) => slot.send(answered));
        return;
      case 'claim-nonce':
        nonces.claim(message.nonce);
        return;
      case 'spend-nonce': {
        const { call, nonce, count } = message;
        slot.send({ kind: 'nonce', call, isLetIn: nonces.spend(nonce, count) });
        return;
      }
      case 'client': {
        const { call, id, address } = message;
        const isBanned = services.p2p.banned(address) !== undefined;
        const isFull = !isBanned && !slot.connections.countFor(id, address);
        const verdict = isBanned ? 'banned' : isFull ? 'full' : 'ok';
        slot.send({ kind: 'verdict', call, verdict });
        return;
      }
      case 'client-left':
        slot.connections.countFor(message.id, undefined);
        return;
      case 'host-failed':
        hostFailed(message.address);
        return;
      case 'calls':
        for (const call of message.calls) onCall?.(call);
        for (const use of message.uses) services.usage.add(use);
        return;
      case 'log':
        services.logger[message.level](message.message);
    }
  }

  #committed(failure: unknown): void {
    if (failure !== undefined) {
      this.#log.error(
        `RPC workers cannot follow the newest block, and go on with the one before: ${String(failure)}`,
      );
      return;
    }
    const commit = this.#share?.commit ?? 0;
    const facts = this.#changedFacts();
    for (const slot of this.#slots) {
      slot.send({ kind: 'commit', commit, facts });
      slot.told();
    }
    if (this.#slots.size === 0) this.#reached();
  }

  /** Lets go of the pages that no worker reads any more. */
  #reached(): void {
    const share = this.#share;
    if (share === undefined) return;
    let oldest = share.commit;
    for (const { reading } of this.#slots) oldest = Math.min(oldest, reading);
    share.reached(oldest);
  }

  #currentFacts(): NodeFacts {
    return collectFacts({
      services: this.#deps.services,
      connections: (port) => this.#ports.get(port)?.connections.total ?? 0,
      freeSpace: () => this.#freeSpace,
      wantsCalls: this.#deps.wantsCalls,
    });
  }

  /** Returns the facts when they are others than those that the workers were told. */
  #changedFacts(): NodeFacts | undefined {
    const facts = this.#currentFacts();
    const text = JSON.stringify(facts);
    if (text === this.#told) return undefined;
    this.#told = text;
    return facts;
  }

  #tellFacts(): void {
    const { node } = this.#deps.services;
    node.freeSpace().then(
      (bytes) => (this.#freeSpace = bytes),
      () => undefined,
    );
    const facts = this.#changedFacts();
    if (facts !== undefined) for (const slot of this.#slots) slot.send({ kind: 'facts', facts });
  }

  /** Takes workers that do not answer out of service, and kills those that will not come back. */
  #look(): void {
    const now = monotonicMilliseconds();
    for (const slot of this.#slots) {
      const pulse = slot.changedPulse();
      if (pulse === 'alive') this.#log.info(`RPC worker ${slot.pid} answers again`);
      if (pulse === 'silent')
        this.#log.warn(`RPC worker ${slot.pid} does not answer: it gets no new connections`);
    }
    const doSomeAnswer = this.serving.length > 0;
    for (const slot of this.#slots) {
      if (!slot.isLost(doSomeAnswer) && !slot.isStuck(now, STUCK_MS)) continue;
      this.#log.warn(`RPC worker ${slot.pid} does not go on: it is killed`);
      slot.kill();
    }
  }

  /** Sends the workers what this process knows. Resolves when all of them read the newest commit, after a second at most. */
  async #settled(): Promise<void> {
    this.#tellFacts();
    const commit = this.#share?.commit ?? 0;
    const isSeen = (): boolean => this.serving.every(({ reading }) => reading >= commit);
    if (!isSeen()) await this.#until(isSeen, monotonicMilliseconds() + SEEN_MS);
  }

  async #until(condition: () => boolean, end: number): Promise<void> {
    while (!condition() && monotonicMilliseconds() < end)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }

  #ended(slot: WorkerSlot, how: string): void {
    this.#slots.delete(slot);
    const waiting = slot.connections.end();
    this.#reached();
    for (const { port, socket, keepHere } of waiting) {
      if (socket !== undefined && !this.handOver(port, socket, keepHere)) keepHere();
    }
    if (this.#isStopping) return;
    this.#endedCount++;
    const isYoung = monotonicMilliseconds() - slot.startedAt < YOUNG_MS;
    const delay = isYoung ? this.#delay : 0;
    this.#delay = isYoung ? Math.min(2 * this.#delay, MOST_DELAY_MS) : FIRST_DELAY_MS;
    this.#log.warn(
      `RPC worker ${slot.pid} has ended (${how}); another one starts in ${delay / 1000} s`,
    );
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#startWorker();
    }, delay);
    this.#restarts.add(timer);
  }
}
