import type { RandomxAlgorithm } from '../forks/fork-table.ts';

/** The name of a network in this code. */
export type NetworkName = 'mainnet' | 'testnet' | 'stagenet' | 'regtest';

/** A fork: from `height` on, blocks have major version `version`. */
export interface HardFork {
  readonly version: number;
  readonly height: number;
  /** Unix seconds; used only to report the state of forks. */
  readonly time: number;
  /**
   * What hashes the blocks of this version and of later ones, until another fork names one; that of the fork table when absent. Only
   * forks of private chains name one. See powRuleOf.
   */
  readonly powAlgorithm?: RandomxAlgorithm;
  /** Beside `powAlgorithm`: whether the commitment to the hash is the proof of work. When absent only that of `randomx-v2` is. */
  readonly powCommitment?: boolean;
}

/** A block that the chain must contain. */
export interface Checkpoint {
  readonly height: number;
  /** Block id, 64 hex digits. */
  readonly id: string;
  /** Cumulative difficulty up to and including the block. It is not a rule; monerod repairs databases with it. */
  readonly cumulativeDifficulty: bigint;
}

/**
 * Number of consecutive blocks whose ids and weights are hashed together.
 * Source: HASH_OF_HASHES_STEP in src/cryptonote_config.h.
 */
export const BLOCK_GROUP_SIZE = 512;

/**
 * A list of the hashes of block groups (see parseBlockGroups) that is trusted by default: the first blocks of a network,
 * whose proof of work and signatures were verified by everybody before.
 */
export interface TrustedBlockGroups {
  /** The list as an export of this package. */
  readonly file: string;
  /** SHA-256 of the list, 64 hex digits. */
  readonly sha256: string;
  /** Number of groups, of BLOCK_GROUP_SIZE blocks each. */
  readonly count: number;
}

/** Everything that distinguishes one Monero network from another, as plain data. */
export interface Network {
  readonly name: NetworkName;
  /** The name in monerod's RPC. */
  readonly nettype: 'mainnet' | 'testnet' | 'stagenet' | 'fakechain';
  /** 16 bytes, sent in the handshake. */
  readonly networkId: Uint8Array;
  readonly ports: { readonly p2p: number; readonly rpc: number; readonly zmq: number };
  readonly addressPrefixes: {
    readonly standard: bigint;
    readonly integrated: bigint;
    readonly subaddress: bigint;
  };
  /** Bytes of the genesis block. */
  readonly genesisBlob: Uint8Array;
  /** 32 bytes. */
  readonly genesisId: Uint8Array;
  /** Ascending by version and height. */
  readonly hardForks: readonly HardFork[];
  /** Ascending by height; only those that monerod enforces. */
  readonly checkpoints: readonly Checkpoint[];
  readonly trustedBlockGroups?: TrustedBlockGroups | undefined;
  /** Subdirectory of the data directory; '' for mainnet. */
  readonly dataDirSuffix: string;
  /** DNS names whose A records are the addresses of seeds, with the default p2p port. */
  readonly seedHosts: readonly string[];
  /** Seeds, `ip:port`. */
  readonly seedNodes: readonly string[];
  /** Tor seeds, `host:port`. */
  readonly torSeedNodes: readonly string[];
  /** I2P seeds, host only: I2P has no ports. */
  readonly i2pSeedNodes: readonly string[];
  /** DNS names whose TXT records are checkpoints; may be empty. */
  readonly checkpointHosts: readonly string[];
  /** DNS names of ban lists; may be empty. */
  readonly blockListHosts: readonly string[];
  /** When set, the difficulty of every block except genesis. */
  readonly fixedDifficulty?: bigint;
}
