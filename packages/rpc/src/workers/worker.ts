import type { Socket } from 'node:net';
import { guardEmitter, monotonicMilliseconds, Periodic } from '@monero-node/base';
import { type FollowedChainOptions, loadTreeRoots } from '@monero-node/blockchain';
import { createReferenceBackend } from '@monero-node/crypto';
import { openFollower, type StoreFollower } from '@monero-node/storage';
import { resolveDependencies } from '../dependencies.ts';
import type { FinishedCall } from '../finished-call.ts';
import { TrustedProxies } from '../gateway/connections/trusted-proxies.ts';
import { createPortShares } from '../scheduling/port-shares.ts';
import { SaturationMeter } from '../scheduling/saturation.ts';
import { createServices } from '../services.ts';
import type { Credentials } from '../tls/credentials.ts';
import { SecureAcceptor } from '../tls/secure-acceptor.ts';
import type { NodeFacts, PortName, ToMain, ToWorker, WorkerRules, WorkerSetup } from './channel.ts';
import {
  WorkerChain,
  workerLogger,
  workerNode,
  workerPeers,
  workerPool,
  type KnownFacts,
} from './worker-services.ts';
import { CallReports, MainClient } from './main-client.ts';
import { createWorkerPorts, type WorkerPort } from './worker-ports.ts';
import { Silence } from './silence.ts';

/** Milliseconds between two looks at how long the main process has said nothing. */
const LOOK_MS = 250;

/** Sends a message to the main process; one that cannot be sent is lost, because then this process ends. */
export type Send = (message: ToMain) => void;

/** How a worker begins, and where it tells of itself. */
interface WorkerBeginning {
  readonly setup: WorkerSetup;
  readonly facts: NodeFacts;
  readonly send: Send;
}

/** A store that is followed, and what its chain is made of. */
interface FollowedStore {
  readonly follower: StoreFollower;
  readonly chain: FollowedChainOptions;
}

/** Answers RPC calls in a process of its own. */
export class RpcWorker {
  readonly #send: Send;
  readonly #mainClient: MainClient;
  readonly #facts: KnownFacts;
  readonly #follower: StoreFollower;
  readonly #chain: WorkerChain;
  readonly #reports: CallReports;
  readonly #secure: SecureAcceptor | undefined;
  readonly #ports: Partial<Record<PortName, WorkerPort>>;
  readonly #proxies: TrustedProxies;
  readonly #silence = new Silence(monotonicMilliseconds);
  readonly #looks = new Periodic(LOOK_MS, () => void this.#silence.look());
  readonly #meter: SaturationMeter;
  #takeCredentials: (credentials: Credentials) => void = () => undefined;
  #isReady = false;

  /** Opens the store of the setup. Rejects with StorageError. */
  static async open(setup: WorkerSetup, facts: NodeFacts, send: Send): Promise<RpcWorker> {
    return RpcWorker.following(await openFollower(setup.storePath), { setup, facts, send });
  }

  /** Makes a worker that follows a store. */
  static async following(
    follower: StoreFollower,
    { setup, facts, send }: WorkerBeginning,
  ): Promise<RpcWorker> {
    const { network } = setup;
    const { store } = follower;
    const backend = createReferenceBackend();
    const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
    const treeRoots = await loadTreeRoots({ network, store, commitToAmount });
    const chain = { network, store, commitToAmount, treeRoots };
    return new RpcWorker({ follower, chain }, { setup, facts, send });
  }

  private constructor({ follower, chain }: FollowedStore, { setup, facts, send }: WorkerBeginning) {
    this.#send = send;
    this.#mainClient = new MainClient(send);
    this.#follower = follower;
    const known: KnownFacts = { current: facts, silence: this.#silence };
    this.#facts = known;
    const logger = workerLogger(() => known.current, send);
    const { tls } = setup;
    this.#chain = new WorkerChain(chain, known);
    const services = createServices(
      resolveDependencies({
        blockchain: this.#chain,
        p2p: workerPeers(known),
        pool: workerPool(known, this.#mainClient),
        node: workerNode(setup, known),
        logger,
      }),
      { onUse: () => this.#reports.soon() },
    );
    this.#reports = new CallReports(services.usage, send);
    const report = (call: FinishedCall): void => this.#reports.add(call);
    const credentials = new Promise<Credentials>((resolve) => (this.#takeCredentials = resolve));
    this.#secure = tls && new SecureAcceptor(tls, logger, credentials);
    void this.#secure?.start();
    this.#proxies = new TrustedProxies(setup.trustedProxies);
    const shares = createPortShares();
    this.#meter = new SaturationMeter({
      shares,
      memory: () => Object.values(this.#ports).map(({ memoryShare }) => memoryShare()),
    });
    this.#ports = createWorkerPorts({
      shares,
      setup,
      proxies: this.#proxies,
      services,
      send,
      facts: known,
      mainClient: this.#mainClient,
      secure: this.#secure,
      onCall: () => (known.current.reportsCalls ? report : undefined),
    });
    this.#looks.start();
    this.#meter.start();
  }

  /** Takes a message of the main process, and the socket that came with it. Resolves when it has had its effect. */
  async take(message: ToWorker, socket?: Socket): Promise<void> {
    this.#silence.end();
    switch (message.kind) {
      case 'begin':
        return;
      case 'credentials':
        this.#takeCredentials(message.credentials);
        return;
      case 'facts':
        this.#facts.current = message.facts;
        return;
      case 'rules':
        this.#applyRules(message.rules);
        return;
      case 'commit':
        if (message.facts !== undefined) this.#facts.current = message.facts;
        this.#follow(message.commit);
        return;
      case 'connection':
        this.#connect(message.id, message.port, socket);
        return;
      case 'beat':
        this.#send({ kind: 'beat', saturation: this.#meter.value });
        return;
      case 'make-room':
        this.#makeRoom(message);
        return;
      case 'reply':
      case 'part':
      case 'pool':
      case 'nonce':
      case 'verdict':
        this.#mainClient.answered(message);
        return;
      case 'stop':
        await this.stop();
    }
  }

  /** Lets answers under way finish for a moment, and reports the last calls. */
  async stop(): Promise<void> {
    this.#looks.stop();
    this.#meter.stop();
    await Promise.all(Object.values(this.#ports).map(({ listener }) => listener.stop()));
    this.#reports.flush();
  }

  #applyRules({ ports, clientLimits, trustedProxies }: WorkerRules): void {
    this.#proxies.replace(trustedProxies);
    for (const name of ['main', 'restricted'] as const) {
      const rules = ports[name];
      if (rules !== undefined) this.#ports[name]?.apply(rules, clientLimits);
    }
  }

  #follow(commit: number): void {
    if (!this.#follower.follow(commit)) return;
    this.#chain.moved();
    this.#send({ kind: 'reading', commit });
    if (this.#isReady) return;
    this.#isReady = true;
    // The first look-up reads the hashes that wait to be written to their tables.
    this.#follower.store.txLocation(new Uint8Array(32));
    this.#send({ kind: 'ready' });
  }

  #makeRoom({ call, port, atLeast }: Extract<ToWorker, { readonly kind: 'make-room' }>): void {
    const closing = this.#ports[port]?.connections.closeIdlest(atLeast);
    const answer = (isMade: boolean): void => this.#send({ kind: 'room', call, isMade });
    if (closing === undefined) answer(false);
    else closing.once('close', () => answer(true));
  }

  #connect(id: number, name: PortName, socket: Socket | undefined): void {
    // Before anything is read: the main process hands it to another worker if this one dies without having said so.
    this.#send({ kind: 'accepted', id });
    const port = this.#ports[name];
    if (socket === undefined || port === undefined) {
      socket?.destroy();
      this.#send({ kind: 'closed', id });
      return;
    }
    guardEmitter(socket).once('close', () => this.#send({ kind: 'closed', id }));
    port.adopt(id, socket);
  }
}
