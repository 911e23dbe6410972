import type { FeeEstimate } from '@monero-node/consensus';
import type { RpcChain } from '../context.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';

export const getFeeEstimate = defineMethod({
  names: ['get_fee_estimate'],
  summary: 'Tells the fee per byte that transactions should pay, for four priorities.',
  restricted: 'served',
  base: 'access',
  request: { grace_blocks: f.u64() },
  response: { fee: f.u64(), fees: f.u64s(), quantization_mask: withDefault(f.u64(), 1n) },
  handler: (request, { chain }) => {
    const estimate = estimateOf(chain, request.grace_blocks);
    return {
      fee: estimate.fee,
      fees: estimate.fees,
      quantization_mask: estimate.quantizationMask,
    };
  },
});

/** Too many grace blocks are refused without code or message, as monerod does. */
function estimateOf(chain: RpcChain, graceBlocks: bigint): FeeEstimate {
  try {
    return chain.feeEstimate(Number(graceBlocks));
  } catch (error) {
    if (error instanceof RangeError) throw new RpcError(RPC_ERROR.none, '');
    throw error;
  }
}
