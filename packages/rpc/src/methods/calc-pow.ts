import type { HandlerOf } from '../method.ts';
import {
  HISTORICAL_POW_HEIGHT,
  historicalPowHash,
  NEWEST_VERSION,
  rulesFor,
} from '@monero-node/consensus';
import { WorkDeclinedError } from '@monero-node/blockchain';
import { bytesEqual } from '@monero-node/codec';
import { PowInputError, seedHeight, type PowRequest } from '@monero-node/pow';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import { powRequestOf } from '../mining/pow-request.ts';
import { tryHex } from '../encoding/hex.ts';
import { checkBlobSize } from '../mining/submit-block.ts';
import type { RpcContext } from '../context.ts';
import { JsonRpcError } from '../errors.ts';

/** Bytes that CryptoNight 1 needs. */
const MIN_VARIANT_1_BLOB = 43;

/**
 * Returns the 32-byte proof-of-work hash of a hashing blob. Without a seed hash it uses the one that the chain has for
 * that height. Throws JsonRpcError for a blob that is not hex, too short or too long, for a bad seed hash, and when too
 * many calls wait for their turn.
 */
export const calcPow: HandlerOf<'calcPow'> = async (request, context) => {
  const blob = tryHex(request.block_blob);
  if (blob === undefined) throw new JsonRpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
  // Versions that there are not yet are hashed as the newest, and 0 as the first.
  const rules = rulesFor(Math.min(Math.max(1, request.major_version), NEWEST_VERSION));
  if (rules.powAlgorithm === 'cryptonight-1' && blob.length < MIN_VARIANT_1_BLOB) {
    throw new JsonRpcError(
      RPC_ERROR.wrongBlockBlobSize,
      'Block blob size is too small for CryptoNight v1, rejecting block',
    );
  }
  checkBlobSize(blob.length, context);
  const seedHash = seedHashOf(request, context);
  if (request.height === BigInt(HISTORICAL_POW_HEIGHT)) {
    const known = historicalPowHash(blob);
    if (known !== undefined) return known;
  }
  try {
    const { height } = request;
    return await hashInTurn(powRequestOf({ rules, height, blob, seedHash }), context);
  } catch (error) {
    if (error instanceof PowInputError) throw new JsonRpcError(RPC_ERROR.internal, error.message);
    throw error;
  }
};

/** Hashes when it is the caller's turn; a seed of the caller's choice takes no cache away from the chain. */
async function hashInTurn(
  work: PowRequest,
  { chain, pow, client, resting }: RpcContext,
): Promise<Uint8Array> {
  if (pow === undefined) throw new JsonRpcError(RPC_ERROR.internal, 'No proof of work');
  const current = chain.store.blockMeta(seedHeight(chain.height))?.id;
  const isAside =
    work.kind === 'randomx' && (current === undefined || !bytesEqual(work.seedHash, current));
  const hash = (): Promise<Uint8Array> =>
    (isAside ? pow.hashAside?.(work) : undefined) ?? pow.hash(work);
  if (client === undefined) return hash();
  try {
    // Only the owner calls this, and may ask many at a time: each call counts as a host of its own.
    return await resting(chain.hashFor({ ...client, host: {}, isOwner: true }, hash));
  } catch (error) {
    throw error instanceof WorkDeclinedError
      ? new JsonRpcError(RPC_ERROR.busy, 'Core is busy')
      : error;
  }
}

function seedHashOf(
  request: { readonly seed_hash: string; readonly height: bigint },
  { chain }: RpcContext,
): Uint8Array {
  if (request.seed_hash !== '') {
    const bytes = tryHex(request.seed_hash);
    if (bytes?.length === 32) return bytes;
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong seed hash');
  }
  // Above the chain monerod takes zeros.
  if (request.height > BigInt(Number.MAX_SAFE_INTEGER)) return new Uint8Array(32);
  return chain.store.blockMeta(seedHeight(Number(request.height)))?.id ?? new Uint8Array(32);
}
