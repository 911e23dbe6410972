import type { MinerStart, MinerStatus } from '@monero-node/miner';

/** The built-in miner, as the RPC uses it. */
export interface RpcMiner {
  readonly status: MinerStatus;
  /** Resolves to false when it could not be started. */
  start(options: MinerStart): Promise<boolean>;
  stop(): Promise<void>;
  /** Turns the hash rate in the log on or off. */
  showHashRate(visible: boolean): void;
}
