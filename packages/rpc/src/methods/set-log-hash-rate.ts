import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

export const setLogHashRate: HandlerOf<'setLogHashRate'> = ({ visible }, { miner }) => {
  if (miner?.status.active !== true) throw new RpcStatus('NOT MINING');
  miner.showHashRate(visible);
  return {};
};
