import { type RpcServices, standardAddress, startMiner } from '@monero-node/rpc/shared';

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

const SENTENCES = {
  subaddress: "Failed, mining to subaddress isn't supported yet",
  alreadyMining: 'Failed, mining not started',
};

/** Returns the node's miner as ZeroMQ shows it; undefined for a node without one. */
export function zmqMining(services: Pick<RpcServices, 'chain' | 'miner'>): ZmqMining | undefined {
  const { chain, miner } = services;
  if (miner === undefined) return undefined;
  return {
    status: () => {
      const { active, speed, threads, address, background } = miner.status;
      const isShown = active && address !== undefined;
      return {
        active,
        speed: active ? Math.floor(speed) : 0,
        threads: active ? threads : 0,
        address: isShown ? standardAddress(address, chain.network) : '',
        background: background !== undefined,
      };
    },
    start: (options) =>
      startMiner({ ...options, threads: BigInt(options.threads) }, services, SENTENCES),
    stop: async () => {
      await miner.stop();
      return true;
    },
  };
}
