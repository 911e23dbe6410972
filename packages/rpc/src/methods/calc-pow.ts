import { BLOCK_SIZE_LEEWAY } from '@monero-node/consensus';
import { seedHeight } from '@monero-node/pow';
import { tryHex } from '../chain/hex.ts';
import type { RpcContext } from '../context.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineValueMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

const RANDOMX_VERSION = 12;

/** Proof-of-work hash of a hashing blob. Without a seed hash the one that the chain has for that height. */
export const calcPow = defineValueMethod({
  names: ['calc_pow'],
  summary: 'Computes the proof-of-work hash of a block.',
  restricted: 'hidden',
  available: ({ pow }) => pow !== undefined,
  request: {
    block_blob: f.text(),
    height: f.u64(),
    major_version: f.u8(),
    seed_hash: f.text(),
  },
  response: f.hash(),
  handler: async (request, context) => {
    const blob = tryHex(request.block_blob);
    if (blob === undefined) throw new RpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
    if (blob.length > context.chain.weightState().limit + BLOCK_SIZE_LEEWAY) {
      throw new RpcError(
        RPC_ERROR.wrongBlockBlobSize,
        'Block blob size is too big, rejecting block',
      );
    }
    const seedHash = seedHashOf(request, context);
    if (request.major_version < RANDOMX_VERSION) {
      throw new RpcError(
        RPC_ERROR.internal,
        `No proof of work for major version ${request.major_version}`,
      );
    }
    if (context.pow === undefined) throw new RpcError(RPC_ERROR.internal, 'No proof of work');
    return context.pow.hash({ kind: 'randomx', seedHash, blob });
  },
});

function seedHashOf(
  request: { readonly seed_hash: string; readonly height: bigint },
  { chain }: RpcContext,
): Uint8Array {
  if (request.seed_hash !== '') {
    const bytes = tryHex(request.seed_hash);
    if (bytes?.length === 32) return bytes;
    throw new RpcError(RPC_ERROR.wrongParam, 'Wrong seed hash');
  }
  const meta = chain.store.blockMeta(seedHeight(Number(request.height)));
  if (meta === undefined) throw new RpcError(RPC_ERROR.internal, 'Seed block is not known');
  return meta.id;
}
