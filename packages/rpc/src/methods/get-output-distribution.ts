import {
  type DistributionRequest,
  type OutputDistributionAnswer,
  RPC_ERROR,
} from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import type { RpcContext } from '../context.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import { compressIntegers, packU64 } from '../outputs/pack-integers.ts';

const FAILED = 'Failed to get output distribution';
const RESTRICTED =
  'Restricted RPC can only get output distribution for rct outputs. Use your own node.';

/**
 * Returns the number of outputs that each block made, by amount in atomic units. Throws JsonRpcError for a range that
 * leaves the chain, or on a restricted listener for more than the RingCT outputs.
 */
export const getOutputDistribution: HandlerOf<'getOutputDistribution'> = async (
  request,
  context,
) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  const distributions = await distributionsOf(request, context);
  if (distributions === undefined) throw new JsonRpcError(RPC_ERROR.internal, FAILED);
  return { distributions };
};

/**
 * Returns the same in portable storage. Throws JsonRpcError on a restricted listener for more than the RingCT outputs;
 * RpcStatus unless `binary` is set, and for a range that leaves the chain.
 */
export const getOutputDistributionBin: HandlerOf<'getOutputDistributionBin'> = async (
  request,
  context,
) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  if (!request.binary) throw new RpcStatus('Binary only call');
  const distributions = await distributionsOf(request, context);
  if (distributions === undefined) throw new RpcStatus(FAILED);
  return { distributions };
};

/** On a restricted listener only the list of RingCT outputs, and that once. */
function isAllowed({ amounts }: DistributionRequest, { restricted }: RpcContext): boolean {
  return !restricted || (amounts.length === 1 && amounts[0] === 0n);
}

async function distributionsOf(
  request: DistributionRequest,
  { chain, distributions, yielder }: RpcContext,
): Promise<OutputDistributionAnswer[] | undefined> {
  const { binary, compress, cumulative } = request;
  const from = Number(request.from_height);
  const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
  const answers: OutputDistributionAnswer[] = [];
  for (const amount of request.amounts) {
    const found = await distributions.get(chain, { amount, from, to, cumulative }, yielder);
    if (found === undefined) return undefined;
    const { counts, base, startHeight } = found;
    answers.push({
      amount,
      base,
      binary,
      compress,
      compressed_data: binary && compress ? await compressIntegers(counts, yielder) : undefined,
      distribution: binary
        ? compress
          ? undefined
          : await packU64(counts, yielder)
        : Array.from(counts),
      start_height: startHeight,
    });
  }
  return answers;
}
