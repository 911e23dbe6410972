import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/** Stops the built-in miner. Throws RpcStatus unless it is running. */
export const stopMining: HandlerOf<'stopMining'> = async (_request, { miner }) => {
  if (miner?.status.active !== true) throw new RpcStatus('Mining never started');
  await miner.stop();
  return {};
};
