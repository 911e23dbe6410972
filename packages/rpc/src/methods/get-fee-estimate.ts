import type { HandlerOf } from '../method.ts';
import type { FeeEstimate } from '@monero-node/consensus';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcChain } from '../dependencies.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Returns the fees per byte that wallets should pay, in atomic units. Throws JsonRpcError for too many grace blocks.
 */
export const getFeeEstimate: HandlerOf<'getFeeEstimate'> = (request, { chain }) => {
  const estimate = estimateOf(chain, request.grace_blocks);
  return {
    fee: estimate.fee,
    fees: estimate.fees,
    quantization_mask: estimate.quantizationMask,
  };
};

/** Too many grace blocks are refused without code or message, as monerod does. */
function estimateOf(chain: RpcChain, graceBlocks: bigint): FeeEstimate {
  try {
    return chain.feeEstimate(Number(graceBlocks));
  } catch (error) {
    if (error instanceof RangeError) throw new JsonRpcError(RPC_ERROR.none, '');
    throw error;
  }
}
