import { BUSY } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { startMiner } from '../mining/start-miner.ts';
import { RpcStatus } from '../errors.ts';

const SENTENCES = {
  subaddress: "Mining to subaddress isn't supported yet",
  alreadyMining: 'Already mining',
};

/** Starts the built-in miner. Throws RpcStatus with the reason when it does not start. */
export const startMining: HandlerOf<'startMining'> = async (request, context) => {
  if (!context.p2p.synchronized) throw new RpcStatus(BUSY);
  const call = {
    address: request.miner_address,
    threads: request.threads_count,
    background: request.do_background_mining,
    ignoreBattery: request.ignore_battery,
  };
  const refused = await startMiner(call, context, SENTENCES);
  if (refused !== undefined) throw new RpcStatus(refused);
  return {};
};
