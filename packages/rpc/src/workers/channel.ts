import type { Login } from '@monero-node/rpc-schema/login';
import type { Network } from '@monero-node/consensus';
import type { PoolChanges } from '@monero-node/mempool';
import type { FinishedCall } from '../finished-call.ts';
import type { MethodUse } from '../method-uses.ts';
import type { CallRequest } from '../gateway/call-request.ts';
import type { BrowserRules } from '../gateway/answers/browser-guard.ts';
import type { Verdict } from '../gateway/connections/client-gate.ts';
import type { Reply } from '../gateway/answers/reply.ts';
import type { Credentials } from '../tls/credentials.ts';
import type { ResolvedTls } from '../tls/options.ts';

/** A listener of the RPC, with all its addresses. */
export type PortName = 'main' | 'restricted';

/** The rules of one port, as a worker needs them. */
export interface PortRules {
  readonly restricted: boolean;
  readonly browsers: BrowserRules;
  /** Names of the methods that are served. */
  readonly methods: readonly string[];
  /** Paths of the web page; the main process answers them. */
  readonly pagePaths: readonly string[];
}

/** Options of a worker. */
export interface WorkerSetup {
  /** Folder of the store. */
  readonly storePath: string;
  readonly dataDir: string;
  readonly network: Network;
  readonly ports: Readonly<Partial<Record<PortName, PortRules>>>;
  readonly login: Login | undefined;
  /** Of the nonces of the login, 32 bytes; all processes have the same. */
  readonly nonceKey: Uint8Array;
  readonly tls: ResolvedTls | undefined;
  readonly softLimit: number;
  /** See `RpcOptions`. */
  readonly trustedProxies: readonly string[];
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

/** A call that the main process answers for a client of a worker. */
export interface PassedCall extends CallRequest {
  readonly port: PortName;
  /** Address of the worker's client. */
  readonly address: string;
}

/** An answer of the main process without the rest of a long body, which is asked for part by part. */
export interface PassedReply {
  readonly status: number;
  readonly phrase: string;
  readonly contentType: string | undefined;
  readonly close: boolean;
  readonly method: string | undefined;
  readonly failed: boolean;
  readonly called: string | undefined;
  readonly headers: readonly string[] | undefined;
  readonly chunks: readonly (Uint8Array | string)[];
  readonly length: number;
  readonly hasRest: boolean;
}

/** Returns the part of an answer that is sent to a worker at once. */
export function toPassed(reply: Reply): PassedReply {
  const { status, phrase, contentType, body, close, method, failed, called, headers } = reply;
  return {
    status,
    phrase,
    contentType,
    close,
    method,
    called,
    headers,
    failed: failed === true,
    chunks: body.chunks,
    length: body.length,
    hasRest: body.rest !== undefined,
  };
}

/** Returns the answer that a worker sends to its client. `rest` yields the remaining bytes of a long one. */
export function fromPassed(
  passed: PassedReply,
  rest: () => AsyncGenerator<readonly Uint8Array[], void>,
): Reply {
  const { status, phrase, contentType, close, method, failed, called, headers } = passed;
  const { chunks, length, hasRest } = passed;
  return {
    status,
    phrase,
    contentType,
    close,
    method,
    headers,
    ...(failed && { failed }),
    ...(called !== undefined && { called }),
    body: { chunks, length, ...(hasRest && { rest: rest() }) },
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
  | { readonly kind: 'verdict'; readonly call: number; readonly verdict: Verdict }
  /** Finish the answers under way and end. */
  | { readonly kind: 'stop' };

/** Messages of a worker to the main process. */
export type ToMain =
  /** It takes connections. */
  | { readonly kind: 'ready' }
  /** It reads this commit, and none before it. */
  | { readonly kind: 'reading'; readonly commit: number }
  /** It has the socket; the main process closes its own copy. */
  | { readonly kind: 'accepted'; readonly id: number }
  | { readonly kind: 'closed'; readonly id: number }
  /** The answer to `make-room`, after the `closed` of the connection. */
  | { readonly kind: 'room'; readonly call: number; readonly isMade: boolean }
  | { readonly kind: 'call'; readonly call: number; readonly request: PassedCall }
  | { readonly kind: 'more'; readonly call: number }
  /** The client has left; nothing more is wanted of the answer. */
  | { readonly kind: 'abandon'; readonly call: number }
  /** Asks for the changes of the pool. */
  | {
      readonly kind: 'pool';
      readonly call: number;
      readonly since: number;
      readonly includePrivate: boolean;
    }
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
