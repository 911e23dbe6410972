import { toHex, type ParsedBlock } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY } from '@monero-node/consensus';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcChain, RpcDependencies } from '../dependencies.ts';
import type { RpcPool } from '../pool.ts';
import { JsonRpcError } from '../errors.ts';

/** The parts of a call's context that submitting a block needs. */
interface SubmitContext extends Pick<RpcDependencies, 'p2p' | 'logger'> {
  readonly chain: RpcChain;
  readonly pool: RpcPool;
}

/** Throws JsonRpcError for a block of more bytes than the weight limit and a leeway. */
export function checkBlobSize(size: number, { chain }: { readonly chain: RpcChain }): void {
  if (size <= chain.weightState().limit + BLOCK_SIZE_LEEWAY) return;
  throw new JsonRpcError(
    RPC_ERROR.wrongBlockBlobSize,
    'Block blob size is too big, rejecting block',
  );
}

/**
 * Adds a block whose transactions are in the pool to the chain and sends it to peers. Throws JsonRpcError when the
 * chain refuses it.
 */
export async function submitMinedBlock(
  parsed: ParsedBlock,
  { chain, pool, p2p, logger }: SubmitContext,
): Promise<void> {
  const result = await chain.addBlock(
    { block: parsed, txs: [] },
    { findTransaction: (id) => pool.transaction(id)?.blob },
  );
  if (result.status === 'added' || result.status === 'reorganized') p2p.relayBlock(result.height);
  if (result.status === 'invalid' || result.status === 'missing-txs') {
    const why = result.status === 'invalid' ? result.error.message : 'transactions are missing';
    logger.warn(`submitted block ${toHex(parsed.id)} not accepted: ${why}`);
    throw new JsonRpcError(RPC_ERROR.blockNotAccepted, 'Block not accepted');
  }
}
