import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';

export const getFeeEstimate = defineMethod({
  names: ['get_fee_estimate'],
  restricted: 'served',
  base: 'access',
  request: { grace_blocks: f.u64() },
  response: { fee: f.u64(), fees: f.u64s(), quantization_mask: withDefault(f.u64(), 1n) },
  handler: (request, { chain }) => {
    // More than 100 grace blocks is a RangeError, which the caller sees as an error without code.
    const estimate = chain.feeEstimate(Number(request.grace_blocks));
    return {
      fee: estimate.fee,
      fees: estimate.fees,
      quantization_mask: estimate.quantizationMask,
    };
  },
});
