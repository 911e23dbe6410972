import { CountedList } from '@monero-node/codec/portable-storage';
import {
  type DistributionRequest,
  type OutputDistributionAnswer,
  RPC_ERROR,
} from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import type { RpcContext } from '../context.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import { distributionRange } from '../outputs/output-distributions.ts';
import { compressIntegers, packU64 } from '../outputs/pack-integers.ts';

/** Most entries of an answer, over all amounts: as packed integers they take 800 MB. monerod has no such limit. */
const MAX_ENTRIES = 100_000_000;
const FAILED = 'Failed to get output distribution';
const RESTRICTED =
  'Restricted RPC can only get output distribution for rct outputs. Use your own node.';

/**
 * Returns the number of outputs that each block made, by amount in atomic units. Throws JsonRpcError for a range that
 * leaves the chain, or on a restricted listener for more than the RingCT outputs; RpcStatus for too many amounts.
 */
export const getOutputDistribution: HandlerOf<'getOutputDistribution'> = (request, context) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  const distributions = distributionsOf(request, context);
  if (distributions === undefined) throw new JsonRpcError(RPC_ERROR.internal, FAILED);
  return { distributions };
};

/**
 * Returns the same in portable storage. Throws JsonRpcError on a restricted listener for more than the RingCT outputs;
 * RpcStatus unless `binary` is set, and for a range that leaves the chain.
 */
export const getOutputDistributionBin: HandlerOf<'getOutputDistributionBin'> = (
  request,
  context,
) => {
  if (!isAllowed(request, context)) throw new JsonRpcError(RPC_ERROR.restricted, RESTRICTED);
  if (!request.binary) throw new RpcStatus('Binary only call');
  const distributions = distributionsOf(request, context);
  if (distributions === undefined) throw new RpcStatus(FAILED);
  return { distributions };
};

/** On a restricted listener only the list of RingCT outputs, and that once. */
function isAllowed({ amounts }: DistributionRequest, { restricted }: RpcContext): boolean {
  return !restricted || (amounts.length === 1 && amounts[0] === 0n);
}

/** Returns distributions that are counted while they are sent; undefined for a range that leaves the chain. */
function distributionsOf(
  request: DistributionRequest,
  context: RpcContext,
): CountedList<OutputDistributionAnswer> | undefined {
  const { chain } = context;
  const from = Number(request.from_height);
  const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
  const { amounts } = request;
  const clear = amounts.find((amount) => amount !== 0n);
  const kinds = [clear, amounts.includes(0n) ? 0n : undefined].filter((kind) => kind !== undefined);
  let entries = 0;
  for (const amount of kinds) {
    const range = distributionRange(chain, { amount, from, to });
    if (range === undefined) return undefined;
    entries = Math.max(entries, range.length);
  }
  if (entries * amounts.length > MAX_ENTRIES) throw new RpcStatus('Too many amounts requested');
  return new CountedList(amounts.length, answers(request, { from, to }, context));
}

async function* answers(
  request: DistributionRequest,
  range: { readonly from: number; readonly to: number },
  { chain, distributions, yielder }: RpcContext,
): AsyncGenerator<OutputDistributionAnswer> {
  const { binary, compress, cumulative } = request;
  for (const amount of request.amounts) {
    await yielder.yieldIfDue();
    const found = await distributions.get(chain, { ...range, amount, cumulative }, yielder);
    if (found === undefined) throw new Error('the chain became shorter while it was counted');
    const { counts, base, startHeight } = found;
    yield {
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
    };
  }
}
