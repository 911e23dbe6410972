import type { HandlerOf } from '../method.ts';
import { lookUpOutputs } from '../outputs/outputs.ts';

/** Returns the keys and commitments of outputs, 32 bytes each. Throws RpcStatus as `lookUpOutputs` does. */
export const getOuts: HandlerOf<'getOuts'> = async (request, context) => ({
  outs: await lookUpOutputs(context, request.outputs, request.get_txid),
});

/** Returns the same in portable storage, with transaction ids by default. */
export const getOutsBin: HandlerOf<'getOutsBin'> = async (request, context) => ({
  outs: await lookUpOutputs(context, request.outputs, request.get_txid),
});
