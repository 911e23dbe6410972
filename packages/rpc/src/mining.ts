import type { AddressKeys } from '@monero-node/crypto';

/** What the built-in miner is doing. */
export interface MinerStatus {
  readonly active: boolean;
  /** Hashes a second, of late. */
  readonly speed: number;
  readonly threads: number;
  /** Who is paid; undefined before the first start. */
  readonly address: AddressKeys | undefined;
  /** Of the block being mined, fees included; atomic units. */
  readonly blockReward: bigint;
  /** Set while mining only when the machine is idle. */
  readonly background:
    | {
        /** Percent of the processors that must be idle. */
        readonly idleThreshold: number;
        /** Seconds that they must have been. */
        readonly minIdleSeconds: number;
        /** Percent of the processors to be used. */
        readonly target: number;
        readonly ignoreBattery: boolean;
      }
    | undefined;
}

export interface MinerStart {
  readonly address: AddressKeys;
  /** 0: as many as are worth it. */
  readonly threads: number;
  readonly background: boolean;
  readonly ignoreBattery: boolean;
}

/** The built-in miner, as the RPC sees it. */
export interface RpcMiner {
  readonly status: MinerStatus;
  /** False when it could not be started. */
  start(options: MinerStart): Promise<boolean>;
  stop(): Promise<void>;
  /** Turns the hash rate in the log on or off. */
  showHashRate(visible: boolean): void;
}
