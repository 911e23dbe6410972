import type { HandlerOf } from '../method.ts';
import { lookUpOutputs } from '../outputs/outputs.ts';

export const getOuts: HandlerOf<'getOuts'> = async (request, context) => ({
  outs: await lookUpOutputs(context, request.outputs, request.get_txid),
});

/** The binary form gives transaction ids unless told not to. */
export const getOutsBin: HandlerOf<'getOutsBin'> = async (request, context) => ({
  outs: await lookUpOutputs(context, request.outputs, request.get_txid),
});
