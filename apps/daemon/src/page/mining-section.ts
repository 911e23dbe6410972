import type { MiningFacts } from '@monero-node/dashboard';
import type { Network } from '@monero-node/consensus';
import { standardAddress, type RpcMiner } from '@monero-node/rpc';

/** Returns the facts about the built-in miner. */
export function miningSection({ status }: Pick<RpcMiner, 'status'>, network: Network): MiningFacts {
  const { active, address, background, speed, threads } = status;
  return {
    active,
    threads,
    speed: active ? Math.round(speed * 10) / 10 : 0,
    address: address === undefined ? '' : standardAddress(address, network),
    background: background !== undefined,
  };
}
