import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/** Turns the hash rate in the log on or off. Throws RpcStatus unless the miner is running. */
export const setLogHashRate: HandlerOf<'setLogHashRate'> = ({ visible }, { miner }) => {
  if (miner?.status.active !== true) throw new RpcStatus('NOT MINING');
  miner.showHashRate(visible);
  return {};
};
