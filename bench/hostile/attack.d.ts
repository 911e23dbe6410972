import type { DaemonOptions } from '../nodes.mjs';

/** What attackers know about the chain of a node: ids, its heavy blocks, its largest transaction, its top. Ids and blocks in hex. */
export interface ChainFacts {
  height: number;
  topHash: string;
  ids: string[];
  heavyIds: string[];
  largest: { id: string; hex: string };
  topBlock: string;
}

/** The ports of a node; the last three only where nodes are attacked one by one. */
export interface Ports {
  p2p: number;
  rpc: number;
  restricted: number;
  zmq: number;
  ws: number;
  nats?: number;
  metrics?: number;
  stratum?: number;
}

/** What is attacked. */
export interface Target {
  ports: Ports;
  chain: ChainFacts;
}

/** What an attack has counted, by name. */
export type Counts = Record<string, number>;

/** Attacks until the process ends. */
export type Run = (target: Target, counts: Counts) => Promise<unknown>;

/** The interface that an attack uses. */
export type Kind = 'p2p' | 'rpc' | 'zmq' | 'ws' | 'nats';

/** An attack. */
export interface Attack {
  /** A row of docs/internals/hostile.md. */
  id: string;
  kind: Kind;
  what: string;
  /** Absent where the bench starts a second node of ours instead. */
  run?: Run;
  isCompanion?: boolean;
  /** Whether the RPC takes TLS too, and the new client uses it on the restricted port. */
  tls?: boolean;
  /** Further options of `startDaemon`. */
  node?: Pick<DaemonOptions, 'env' | 'fixedDifficulty'>;
  /** Returns options of our node. */
  options?: (ports: { metrics: number; stratum: number }) => string[];
  /** Blocks are mined on the top meanwhile, none of which may wait longer, milliseconds. */
  maxBlockMs?: number;
  /** Time before the attack in which the node and its clients settle, milliseconds. */
  settleMs?: number;
  /** Leaves monerod out, which has nothing to attack there; `why` says so. */
  only?: 'ours';
  why?: string;
  /** Returns what went wrong apart from what is always measured. */
  judge?: (counts: Counts, seconds: number) => string[];
}
