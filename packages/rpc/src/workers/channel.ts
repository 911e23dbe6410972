import type { Login } from '@monero-node/rpc-schema/login';
import type { Network } from '@monero-node/consensus';
import type { PoolChanges, PoolTransaction } from '@monero-node/mempool';
import type { RpcServices } from '../context.ts';
import type { FinishedCall } from '../finished-call.ts';
import type { MethodUse } from '../method-uses.ts';
import type { HealthFigures } from '../node-process.ts';
import type { CallRequest } from '../gateway/call-request.ts';
import type { BrowserRules } from '../gateway/answers/browser-guard.ts';
import type { ClientVerdict } from '../gateway/connections/client-gate.ts';
import type { ClientLimits } from '../gateway/connections/connection.ts';
import type { Reply } from '../gateway/answers/reply.ts';
import type { Body } from '../gateway/answers/write-answer.ts';
import type { Credentials } from '../tls/credentials.ts';
import type { ResolvedTls } from '../tls/options.ts';
import { returnedToPool } from '../transactions/visible-pool.ts';

/** Most transactions, removed ids and bytes of transactions that one message to a worker holds. */
const MAX_ADDED = 100;
const MAX_REMOVED = 10_000;
const MAX_WEIGHT = 1024 * 1024;

/** A listener of the RPC, with all its addresses. */
export type PortName = 'main' | 'restricted';

/** The rules of one port, as a worker needs them. */
export interface PortRules {
  readonly restricted: boolean;
  readonly browsers: BrowserRules;
  /** Names of the methods that are served. */
  readonly methods: readonly string[];
  /** Paths of the web page and of the stream of events; the main process answers them. */
  readonly pagePaths: readonly string[];
}

/** The part of the options of a worker that may change while it runs. */
export interface WorkerRules {
  readonly ports: Readonly<Partial<Record<PortName, PortRules>>>;
  readonly clientLimits: ClientLimits;
  /** See `RpcOptions`. */
  readonly trustedProxies: readonly string[];
}

/** Options of a worker. */
export interface WorkerSetup extends WorkerRules {
  /** Folder of the store. */
  readonly storePath: string;
  readonly dataDir: string;
  readonly network: Network;
  readonly login: Login | undefined;
  /** Of the nonces of the login, 32 bytes; all processes have the same. */
  readonly nonceKey: Uint8Array;
  readonly tls: ResolvedTls | undefined;
  /** Number of workers, among which budgets of memory are divided. */
  readonly workers: number;
  readonly startTime: number;
  readonly version: string;
  readonly offline: boolean;
}

/** Figures of the node that are not in the database. */
export interface NodeFacts {
  readonly synchronized: boolean;
  readonly targetHeight: number;
  readonly incomingCount: number;
  readonly outgoingCount: number;
  readonly whiteCount: number;
  readonly grayCount: number;
  readonly busy: boolean;
  /** Undefined when the program does not say; see `NodeControl`. */
  readonly notReady: readonly string[] | undefined;
  /** The same. */
  readonly health: HealthFigures | undefined;
  /** The same. */
  readonly fleetAnswer: string | undefined;
  readonly updateAvailable: boolean;
  /** Transactions of the pool, and the public ones among them. */
  readonly poolCount: number;
  readonly publicPoolCount: number;
  /** Another daemon answers or has answered calls: then the main process answers all of them. */
  readonly bootstrapped: boolean;
  /** Lines of these levels are written. */
  readonly writesDebug: boolean;
  /** The main process takes notice of calls that end. */
  readonly reportsCalls: boolean;
  /** Free bytes of the disk. */
  readonly freeSpace: number;
  /** Open connections. */
  readonly connections: Readonly<Record<PortName, number>>;
}

/** Sources of the facts. */
export interface FactSources {
  readonly services: RpcServices;
  /** Returns the number of open connections of a port. */
  readonly connections: (port: PortName) => number;
  /** Free bytes of the disk when they were measured last. */
  readonly freeSpace: () => number;
  /** Returns whether the ends of calls are of use now. */
  readonly wantsCalls: () => boolean;
}

/** Returns what workers cannot read from the database. */
export function collectFacts(sources: FactSources): NodeFacts {
  const { services, connections, freeSpace, wantsCalls } = sources;
  const { p2p, chain, node, pool, bootstrap, logger } = services;
  const { synchronized, targetHeight, incomingCount, outgoingCount, whiteCount, grayCount } = p2p;
  return {
    synchronized,
    targetHeight,
    incomingCount,
    outgoingCount,
    whiteCount,
    grayCount,
    busy: chain.busy,
    notReady: node.notReady?.(),
    health: node.healthFigures?.(),
    fleetAnswer: node.fleetAnswer?.(),
    updateAvailable: node.updates?.isAvailable === true,
    poolCount: pool.count(true),
    publicPoolCount: pool.count(false),
    bootstrapped: bootstrap.isSet || bootstrap.everUsed,
    writesDebug: logger.writes?.('debug') ?? true,
    reportsCalls: wantsCalls(),
    freeSpace: freeSpace(),
    connections: { main: connections('main'), restricted: connections('restricted') },
  };
}

/** A call that the main process answers for a client of a worker. */
export interface PassedCall extends CallRequest {
  readonly port: PortName;
  /** Address of the worker's client. */
  readonly address: string;
  /** Whether it asks for a part of the web page or for the stream of events, not for a method. */
  readonly isForPage: boolean;
}

/** An answer of the main process without the rest of a long body, which is asked for part by part. */
export type PassedReply = Omit<Reply, 'body' | 'steady'> & {
  readonly chunks: Body['chunks'];
  readonly length: number;
  readonly hasRest: boolean;
};

/** Returns the part of an answer that is sent to a worker at once, without `steady`, which holds code. */
export function toPassed({ body, steady: _, ...head }: Reply): PassedReply {
  const { chunks, length, rest } = body;
  return { ...head, chunks, length, hasRest: rest !== undefined };
}

/** Returns the answer that a worker sends to its client. `rest` yields the remaining bytes of a long one. */
export function fromPassed(
  { chunks, length, hasRest, ...head }: PassedReply,
  rest: () => AsyncGenerator<readonly Uint8Array[], void>,
): Reply {
  return { ...head, body: hasRest ? { chunks, length, rest: rest() } : { chunks, length } };
}

/**
 * Returns changes of the pool as plain data, which can be sent to a worker. Returns undefined when there are too many: copying
 * a full pool would hold the event loop, and each client may ask for it. The main process then answers the call.
 */
export function sentChanges({ incremental, added, removed }: PoolChanges): PoolChanges | undefined {
  if (added.length > MAX_ADDED || removed.length > MAX_REMOVED) return undefined;
  if (added.reduce((sum, { weight }) => sum + weight, 0) > MAX_WEIGHT) return undefined;
  return { incremental, removed, added: added.map(sentTransaction) };
}

/** Resolves with the answer to a worker that asks for the changes of the pool. Never rejects. */
export async function answerPool(
  { pool, logger }: Pick<RpcServices, 'pool' | 'logger'>,
  { call, since, includePrivate }: PoolQuestion,
): Promise<ToWorker> {
  try {
    await returnedToPool(pool);
    const changes = sentChanges(await pool.changesSince(since, includePrivate));
    return { kind: 'pool', call, changes };
  } catch (error) {
    logger.error(`changes of the pool: ${String(error)}`);
    return { kind: 'pool', call, changes: undefined };
  }
}

/** Returns a pool transaction as plain data, which can be sent to another process. */
function sentTransaction(tx: PoolTransaction): PoolTransaction {
  return {
    id: tx.id,
    blob: tx.blob,
    weight: tx.weight,
    fee: tx.fee,
    receiveTime: tx.receiveTime,
    lastRelayedTime: tx.lastRelayedTime,
    relayed: tx.relayed,
    doNotRelay: tx.doNotRelay,
    keptByBlock: tx.keptByBlock,
    doubleSpendSeen: tx.doubleSpendSeen,
    maxUsedBlockHeight: tx.maxUsedBlockHeight,
    maxUsedBlockId: tx.maxUsedBlockId,
    lastFailedHeight: tx.lastFailedHeight,
    lastFailedId: tx.lastFailedId,
    broadcast: tx.broadcast,
    keyImages: tx.keyImages,
    relay: tx.relay,
  };
}

/** Messages of the main process to a worker, in the order in which they take effect. */
export type ToWorker =
  /** The first message. */
  | { readonly kind: 'begin'; readonly setup: WorkerSetup; readonly facts: NodeFacts }
  /** The certificate of TLS, once there is one. */
  | { readonly kind: 'credentials'; readonly credentials: Credentials }
  /** The main process reads this commit of the database from now on. */
  | { readonly kind: 'commit'; readonly commit: number; readonly facts: NodeFacts | undefined }
  | { readonly kind: 'facts'; readonly facts: NodeFacts }
  /** Requests that begin from now on follow these rules. */
  | { readonly kind: 'rules'; readonly rules: WorkerRules }
  /** Comes with the socket of a new connection. */
  | { readonly kind: 'connection'; readonly id: number; readonly port: PortName }
  /** Close a connection that waits for its client, for a new one, if one is at least that idle; see `Seat`. */
  | {
      readonly kind: 'make-room';
      readonly call: number;
      readonly port: PortName;
      readonly atLeast: number;
    }
  /** The answer to a `call`; undefined when it was cut off. */
  | { readonly kind: 'reply'; readonly call: number; readonly reply: PassedReply | undefined }
  /** The answer to `more`: undefined when the answer broke off, an empty list at its end. */
  | {
      readonly kind: 'part';
      readonly call: number;
      readonly chunks: readonly Uint8Array[] | undefined;
    }
  /** Changes of the pool; none when they are too many for a message. */
  | { readonly kind: 'pool'; readonly call: number; readonly changes: PoolChanges | undefined }
  /** The answer to `spend-nonce`. */
  | { readonly kind: 'nonce'; readonly call: number; readonly isLetIn: boolean }
  /** The answer to `client`. */
  | { readonly kind: 'verdict'; readonly call: number; readonly verdict: ClientVerdict }
  /** Asks for a sign of life. */
  | { readonly kind: 'beat' }
  /** Finish the answers under way and end. */
  | { readonly kind: 'stop' };

/** Asks for the changes of the pool. */
export interface PoolQuestion {
  readonly kind: 'pool';
  readonly call: number;
  readonly since: number;
  readonly includePrivate: boolean;
}

/** Messages of a worker to the main process. */
export type ToMain =
  /** It takes connections. */
  | { readonly kind: 'ready' }
  /** It reads this commit, and none before it. */
  | { readonly kind: 'reading'; readonly commit: number }
  /** The answer to `beat`, with how much of what the worker has for answers is in use; see `SaturationMeter`. */
  | { readonly kind: 'beat'; readonly saturation: number }
  /** It has the socket; the main process closes its own copy. */
  | { readonly kind: 'accepted'; readonly id: number }
  | { readonly kind: 'closed'; readonly id: number }
  /** The answer to `make-room`, after the `closed` of the connection. */
  | { readonly kind: 'room'; readonly call: number; readonly isMade: boolean }
  | { readonly kind: 'call'; readonly call: number; readonly request: PassedCall }
  | { readonly kind: 'more'; readonly call: number }
  /** The client has left; nothing more is wanted of the answer. */
  | { readonly kind: 'abandon'; readonly call: number }
  | PoolQuestion
  /** See `NonceUses`. */
  | { readonly kind: 'claim-nonce'; readonly nonce: string }
  | {
      readonly kind: 'spend-nonce';
      readonly call: number;
      readonly nonce: string;
      readonly count: number;
    }
  /** See `ClientGate`. */
  | {
      readonly kind: 'client';
      readonly call: number;
      readonly id: number;
      readonly address: string;
    }
  | { readonly kind: 'client-left'; readonly id: number }
  /** A block request of an address failed. */
  | { readonly kind: 'host-failed'; readonly address: string }
  /** Calls that have ended since the last report, and the uses of methods, which the main process adds up. */
  | {
      readonly kind: 'calls';
      readonly calls: readonly FinishedCall[];
      readonly uses: readonly MethodUse[];
    }
  | {
      readonly kind: 'log';
      readonly level: 'error' | 'warn' | 'info' | 'debug';
      readonly message: string;
    };
