export type NetworkName = 'mainnet' | 'testnet' | 'stagenet' | 'regtest';

/** From `height` up, blocks carry major version `version`. `time` only feeds the update nag. */
export interface HardFork {
  readonly version: number;
  readonly height: number;
  /** Unix seconds. */
  readonly time: number;
}

export interface Checkpoint {
  readonly height: number;
  /** Block id, 64 hex digits. */
  readonly id: string;
  /** Cumulative difficulty up to and including the block: a repair aid, not a rule. */
  readonly cumulativeDifficulty: bigint;
}

/** Everything that tells one Monero network from another. Plain data. */
export interface Network {
  readonly name: NetworkName;
  /** As monerod's RPC names it. */
  readonly nettype: 'mainnet' | 'testnet' | 'stagenet' | 'fakechain';
  /** 16 bytes, sent in the handshake. */
  readonly networkId: Uint8Array;
  readonly ports: { readonly p2p: number; readonly rpc: number; readonly zmq: number };
  readonly addressPrefixes: {
    readonly standard: bigint;
    readonly integrated: bigint;
    readonly subaddress: bigint;
  };
  readonly genesisBlob: Uint8Array;
  /** 32 bytes. */
  readonly genesisId: Uint8Array;
  /** Ascending by version and height. */
  readonly hardForks: readonly HardFork[];
  /** Ascending by height; only those that the daemon enforces. */
  readonly checkpoints: readonly Checkpoint[];
  /** Sub-directory of the data directory; '' for mainnet. */
  readonly dataDirSuffix: string;
  /** Names whose A records are seed addresses (default p2p port). */
  readonly seedHosts: readonly string[];
  /** `ip:port` */
  readonly seedNodes: readonly string[];
  /** Tor seeds, `host:port` */
  readonly torSeedNodes: readonly string[];
  /** I2P seeds, host only: I2P has no ports */
  readonly i2pSeedNodes: readonly string[];
  /** DNS names of checkpoint TXT records; empty: none are asked. */
  readonly checkpointHosts: readonly string[];
  /** DNS names of ban lists; empty: none are asked. */
  readonly blockListHosts: readonly string[];
  /** When set, every block but genesis has this difficulty. */
  readonly fixedDifficulty?: bigint;
}
