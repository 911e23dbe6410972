import type { LedgerFacts } from './ledger.ts';

/** A Tor or I2P address at which wallets reach the restricted RPC. */
export interface HiddenService {
  /** In lower case; it ends in `.onion` or `.i2p`. */
  readonly host: string;
  readonly port: number;
  /** Whether the port speaks TLS only. */
  readonly isEncrypted: boolean;
}

/** Facts that stay the same while a node runs. */
export interface NodeDescription {
  /** `mainnet`, `stagenet`, `testnet` or `fakechain`. */
  readonly network: string;
  /** Which facts are shown: everything, or only what the public may know. */
  readonly view: 'owner' | 'public';
  /** Undefined in the public view. */
  readonly version?: string;
  /** Unix seconds; undefined in the public view. */
  readonly startedAt?: number;
  /** Processors of the machine; undefined in the public view. */
  readonly processors?: number;
  /** In the public view; undefined when there are none. */
  readonly hiddenServices?: readonly HiddenService[];
}

/** The chain and how far its download has come. */
export interface ChainFacts {
  /** Number of blocks. */
  readonly height: number;
  /** Blocks that most peers have; at least `height`. */
  readonly target: number;
  readonly synchronized: boolean;
  /** Blocks added per second while synchronizing; 0 when unknown. */
  readonly blocksPerSecond: number;
  readonly difficulty: number;
  /** Hashes per second of the network, from the difficulty. */
  readonly hashRate: number;
  /** Seconds between blocks, on average. */
  readonly blockTime: number;
  /** Fork version of the next block. */
  readonly version: number;
  /** Weight up to which blocks are not penalized. */
  readonly weightMedian: number;
  /** A sentence about what is wrong with the machine. */
  readonly problem?: string;
  /** A sentence, without its end, about events on NATS; absent while none are published. */
  readonly events?: string;
  /** The same about the other nodes of the fleet; absent when the node knows of none. */
  readonly fleet?: string;
  /** The same about the copy of the chain to a new node; absent while there is none. */
  readonly seed?: string;
  /** The same about the curve tree; absent unless it lacks blocks. */
  readonly tree?: string;
  /** How much of what the node has for answers to RPC calls is in use, whole percent; 0 for the public. */
  readonly saturation: number;
}

/** A connected peer. */
export interface PeerRow {
  /** Connection number of this view, hex. */
  readonly id: string;
  readonly address: string;
  /** The address without its port, as a ban names it; null for one whose ban the page does not offer. */
  readonly host: string | null;
  /** IPv4, IPv6, Tor, I2P or libp2p. */
  readonly zone: string;
  readonly incoming: boolean;
  /** Milliseconds from a request to its answer; null when unknown. */
  readonly roundTrip: number | null;
  /** Blocks that the peer claims. */
  readonly height: number;
  readonly isSynchronizing: boolean;
  readonly isPruned: boolean;
  /** Seconds since the connection was made. */
  readonly age: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The connected peers. */
export interface PeerFacts {
  readonly incoming: number;
  readonly outgoing: number;
  /** Who comes in from outside, as a sentence without its end; undefined when nobody is to. */
  readonly reach?: string;
  /** Outgoing first; not all of them if there are many. */
  readonly rows: readonly PeerRow[];
}

/** The transactions of a range of fee rates. */
export interface PoolBand {
  /** Atomic units per byte of weight. */
  readonly from: number;
  readonly count: number;
  readonly weight: number;
}

/** The transaction pool. */
export interface PoolFacts {
  readonly count: number;
  readonly weight: number;
  /** When the oldest was received, Unix seconds; null without transactions. */
  readonly oldest: number | null;
  /** Cheapest first. */
  readonly bands: readonly PoolBand[];
}

/** The advice on fees, atomic units per byte of weight, from slow to fast. */
export interface FeeFacts {
  readonly perByte: readonly number[];
}

/** The built-in miner. */
export interface MiningFacts {
  readonly active: boolean;
  readonly threads: number;
  /** Hashes per second. */
  readonly speed: number;
  /** The address paid now or last; empty before the first start. */
  readonly address: string;
  readonly background: boolean;
}

/** Bytes sent and received. */
export interface TrafficFacts {
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Bytes per second over the last seconds. */
  readonly rateIn: number;
  readonly rateOut: number;
}

/** The disk of the data directory. */
export interface DiskFacts {
  readonly chainBytes: number;
  /** Null when the system does not say. */
  readonly freeBytes: number | null;
  /** The stripe of old blocks, 1 to 8, that a pruned chain keeps whole; null for a chain that is not pruned. */
  readonly stripe: number | null;
}

/** What the node knows about newer versions of its program. */
export interface UpdateFacts {
  /** Whether the node looks for them by itself. */
  readonly isChecking: boolean;
  /** Unix seconds of the last answer; null before the first. */
  readonly checkedAt: number | null;
  /** A newer version; null when none is known. */
  readonly newer: string | null;
  /** Why the last check failed, without its end; null when it did not. */
  readonly failure: string | null;
}

/** What an RPC client has cost. */
export interface ClientRow {
  /** An address, or the /64 of an IPv6 address. */
  readonly host: string;
  readonly calls: number;
  /** Sent to it. */
  readonly bytes: number;
  /** Until its answers were ready, waiting included. */
  readonly seconds: number;
}

/** The RPC clients, counted while the page is open. */
export interface ClientFacts {
  /** Unix seconds of the first call that was counted; null before. */
  readonly since: number | null;
  /** Those first whose answers took longest; not all of them if there are many. */
  readonly rows: readonly ClientRow[];
}

/** The parts of the state that change as a whole. A view has those that it may show. */
export interface Sections {
  readonly chain: ChainFacts;
  readonly peers: PeerFacts;
  readonly clients: ClientFacts;
  readonly pool: PoolFacts;
  readonly fees: FeeFacts;
  readonly mining: MiningFacts;
  readonly ledger: LedgerFacts;
  readonly traffic: TrafficFacts;
  readonly disk: DiskFacts;
  readonly update: UpdateFacts;
}

/** A block of the main chain. Amounts are atomic units. */
export interface BlockRow {
  readonly height: number;
  /** 64 hex digits. */
  readonly id: string;
  /** Unix seconds, as the miner claims. */
  readonly timestamp: number;
  /** Without the miner transaction. */
  readonly transactions: number;
  readonly weight: number;
  readonly fees: number;
  /** With the fees. */
  readonly reward: number;
}

/** A line of the log. */
export interface LogRow {
  readonly number: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly level: string;
  readonly category: string;
  readonly text: string;
}
