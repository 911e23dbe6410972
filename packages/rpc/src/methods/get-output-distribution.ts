import type { RpcContext } from '../context.ts';
import { RPC_ERROR, RpcError, RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { eitherOf, f, optional, withDefault } from '../wire/fields.ts';
import { defineTable, type InputOf, type OutputOf } from '../wire/kinds.ts';
import { compressIntegers, packU64 } from '../chain/pack-integers.ts';

const REQUEST = {
  amounts: f.u64s(),
  binary: withDefault(f.bool(), true),
  compress: f.bool(),
  cumulative: f.bool(),
  from_height: f.u64(),
  to_height: f.u64(),
};
const DISTRIBUTION = defineTable({
  amount: f.u64(),
  base: f.u64(),
  binary: f.bool(),
  compress: f.bool(),
  compressed_data: optional(f.blob()),
  distribution: eitherOf(
    f.blob(),
    f.u64s(),
    (value): value is Uint8Array<ArrayBufferLike> => value instanceof Uint8Array,
  ),
  start_height: f.u64(),
});
const RESPONSE = { distributions: f.objects(DISTRIBUTION) };
type Distribution = OutputOf<(typeof DISTRIBUTION)['fields']>;

const FAILED = 'Failed to get output distribution';
const RESTRICTED =
  'Restricted RPC can only get output distribution for rct outputs. Use your own node.';

export const getOutputDistribution = defineMethod({
  names: ['get_output_distribution'],
  summary: 'Counts the outputs of an amount block by block.',
  restricted: 'served',
  base: 'access',
  request: REQUEST,
  response: RESPONSE,
  handler: async (request, context) => {
    if (!isAllowed(request, context)) throw new RpcError(RPC_ERROR.restricted, RESTRICTED);
    const distributions = await distributionsOf(request, context);
    if (distributions === undefined) throw new RpcError(RPC_ERROR.internal, FAILED);
    return { distributions };
  },
});

export const getOutputDistributionBin = defineMethod({
  binaryPaths: ['/get_output_distribution.bin'],
  summary: 'Counts the outputs of an amount block by block, in binary form.',
  restricted: 'served',
  base: 'access',
  request: REQUEST,
  response: RESPONSE,
  handler: async (request, context) => {
    if (!isAllowed(request, context)) throw new RpcError(RPC_ERROR.restricted, RESTRICTED);
    if (!request.binary) throw new RpcStatus('Binary only call');
    const distributions = await distributionsOf(request, context);
    if (distributions === undefined) throw new RpcStatus(FAILED);
    return { distributions };
  },
});

/** On a restricted listener only the list of RingCT outputs, and that once. */
function isAllowed({ amounts }: InputOf<typeof REQUEST>, { restricted }: RpcContext): boolean {
  return !restricted || (amounts.length === 1 && amounts[0] === 0n);
}

async function distributionsOf(
  request: InputOf<typeof REQUEST>,
  { chain, distributions, turn }: RpcContext,
): Promise<Distribution[] | undefined> {
  const { binary, compress, cumulative } = request;
  const from = Number(request.from_height);
  const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
  const answers: Distribution[] = [];
  for (const amount of request.amounts) {
    const found = await distributions.get(chain, { amount, from, to, cumulative }, turn);
    if (found === undefined) return undefined;
    const { counts, base, startHeight } = found;
    answers.push({
      amount,
      base,
      binary,
      compress,
      compressed_data: binary && compress ? await compressIntegers(counts, turn) : undefined,
      distribution: binary
        ? compress
          ? undefined
          : await packU64(counts, turn)
        : Array.from(counts),
      start_height: startHeight,
    });
  }
  return answers;
}
