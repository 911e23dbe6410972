import type { Logger } from '@monero-node/base';
import { FollowedChain, type FollowedChainOptions } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import { AskMainError } from '../errors.ts';
import type { NodeControl } from '../node-process.ts';
import type { RpcPool } from '../pool.ts';
import type { NodeFacts, ToMain, WorkerSetup } from './channel.ts';
import type { MainClient } from './main-client.ts';
import type { Silence } from './silence.ts';

/** Milliseconds without a message of the main process, which sends two a second, after which it hangs. A stall is shorter. */
const MAIN_HANGS_MS = 3000;

/** The facts that a worker was told last. */
export interface KnownFacts {
  current: NodeFacts;
  /** Of the main process. */
  readonly silence: Pick<Silence, 'look'>;
}

const askMain = (): never => {
  throw new AskMainError();
};

/** The chain of a worker. Calls that change it or need proof of work throw AskMainError: the main process answers them. */
export class WorkerChain extends FollowedChain {
  readonly #facts: KnownFacts;
  readonly addBlock = askMain;
  readonly hashFor = askMain;
  readonly popBlocks = askMain;
  readonly forgetInvalidBlocks = askMain;
  readonly powHash = askMain;
  readonly prune = askMain;
  readonly checkPruning = askMain;

  constructor(options: FollowedChainOptions, facts: KnownFacts) {
    super(options);
    this.#facts = facts;
  }

  get busy(): boolean {
    return this.#facts.current.busy;
  }

  get pruningSeed(): number {
    return askMain();
  }
}

/** The peers of the node as a worker knows them: figures only. Throws AskMainError for everything else. */
export function workerPeers(facts: KnownFacts): P2pNodeInfo {
  return {
    get synchronized() {
      return facts.current.synchronized;
    },
    get targetHeight() {
      return facts.current.targetHeight;
    },
    get incomingCount() {
      return facts.current.incomingCount;
    },
    get outgoingCount() {
      return facts.current.outgoingCount;
    },
    get whiteCount() {
      return facts.current.whiteCount;
    },
    get grayCount() {
      return facts.current.grayCount;
    },
    get listenPort() {
      return askMain();
    },
    get netStats() {
      return askMain();
    },
    get limits() {
      return askMain();
    },
    get outPeers() {
      return askMain();
    },
    get inPeers() {
      return askMain();
    },
    // The main process has looked before it handed the connection over.
    banned: () => undefined,
    connections: askMain,
    fixedPeers: askMain,
    syncInfo: askMain,
    reachability: askMain,
    peerLists: askMain,
    bans: askMain,
    banKind: askMain,
    banNotice: askMain,
    ban: askMain,
    unban: askMain,
    setLimits: askMain,
    setOutPeers: askMain,
    setInPeers: askMain,
    relayBlock: askMain,
  };
}

/** The pool as a worker knows it: its size. Its changes are asked for; everything else throws AskMainError. */
export function workerPool(facts: KnownFacts, mainClient: MainClient): RpcPool {
  return {
    count: (includePrivate) =>
      includePrivate ? facts.current.poolCount : facts.current.publicPoolCount,
    changesSince: (since, includePrivate) => mainClient.poolChanges(since, includePrivate),
    transactions: askMain,
    transaction: askMain,
    isSpent: askMain,
    templateBacklog: askMain,
    idle: () => Promise.resolve(),
  };
}

/** The same members, none of which may be left out: one that is, even an optional one, is missing from the answers of workers. */
type EveryMember<T> = { readonly [Name in keyof Required<T>]: T[Name] };

/** The process around the node. */
export function workerNode(
  { startTime, version, offline, dataDir }: WorkerSetup,
  facts: KnownFacts,
): NodeControl {
  return {
    startTime,
    version,
    offline,
    dataDir,
    freeSpace: () => Promise.resolve(facts.current.freeSpace),
    updates: {
      get isAvailable() {
        return facts.current.updateAvailable;
      },
      check: askMain,
      download: askMain,
    },
    requestStop: askMain,
    flush: askMain,
    notReady: () => {
      const { notReady } = facts.current;
      if (facts.silence.look() < MAIN_HANGS_MS) return notReady;
      return ['main_process_silent', ...(notReady ?? [])];
    },
    healthFigures: () => facts.current.health,
    // Nobody speaks for a main process that hangs: its vote must end.
    fleetAnswer: () =>
      facts.silence.look() < MAIN_HANGS_MS ? facts.current.fleetAnswer : undefined,
    // The calls that change the log are the main process's.
    log: undefined,
  } satisfies EveryMember<NodeControl>;
}

/** A logger whose lines the main process writes. */
export function workerLogger(
  facts: () => NodeFacts | undefined,
  send: (message: ToMain) => void,
): Logger {
  const line = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string) =>
    send({ kind: 'log', level, message });
  const debug = line('debug');
  const logger: Logger = {
    error: line('error'),
    warn: line('warn'),
    info: line('info'),
    debug: (message) => {
      if (facts()?.writesDebug === true) debug(message);
    },
    trace: () => undefined,
    writes: (level) => level === 'info' || (level === 'debug' && facts()?.writesDebug === true),
    child: () => logger,
  };
  return logger;
}
