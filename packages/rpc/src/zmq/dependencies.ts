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
  /** Starts mining. Returns the error message of the answer when it does not start. */
  start(options: {
    readonly address: string;
    readonly threads: number;
    readonly background: boolean;
    readonly ignoreBattery: boolean;
  }): Promise<string | undefined>;
  /** Whether mining has stopped. */
  stop(): Promise<boolean>;
}
