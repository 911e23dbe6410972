import { standardAddress } from '../mining/miner-address.ts';
import { startMiner } from '../mining/start-miner.ts';
import type { RpcServices } from '../context.ts';
import type { ZmqMining } from './dependencies.ts';

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
