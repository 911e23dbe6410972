import type { SendFlag } from './rejection.ts';

/** What became of a transaction handed in. */
export type ZmqVerdict =
  | { readonly accepted: true; readonly relayed: boolean }
  /** `flags` as `/send_raw_transaction` has them, without saying more when it is empty. */
  | { readonly accepted: false; readonly flags: readonly SendFlag[] };

/** Takes transactions into the pool. */
export interface ZmqTransactions {
  /** Verifies a full blob, keeps it and, if asked to, sends it to peers. */
  submit(blob: Uint8Array, relay: boolean): Promise<ZmqVerdict>;
}

/** The built-in miner. */
export interface ZmqMining {
  status(): {
    readonly active: boolean;
    /** Hashes a second. */
    readonly speed: number;
    readonly threads: number;
    /** Address mined to, "" while idle. */
    readonly address: string;
    readonly background: boolean;
  };
  /** Starts mining; the reason when it does not, in the words of the answer. */
  start(options: {
    readonly address: string;
    readonly threads: number;
    readonly background: boolean;
    readonly ignoreBattery: boolean;
  }): Promise<string | undefined>;
  /** Whether mining has stopped. */
  stop(): Promise<boolean>;
}
