import type { Yielder } from '@monero-node/base';
import { tryParseBlock, type AddBlockResult } from '@monero-node/blockchain';
import { toHex, withoutHugeNumbers, type ParsedBlock } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY } from '@monero-node/consensus';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcChain, ResolvedRpcDependencies } from '../dependencies.ts';
import type { RpcPool } from '../pool.ts';
import { JsonRpcError } from '../errors.ts';

/** The parts of a call's context that submitting a block needs. */
interface SubmitContext extends Pick<ResolvedRpcDependencies, 'p2p' | 'logger'> {
  readonly chain: RpcChain;
  readonly pool: RpcPool;
}

/**
 * Returns whether bytes are a block but for a timestamp or height above 2^53 - 1. monerod decodes it; no chain
 * accepts it.
 */
export async function isBlockWithHugeNumbers(blob: Uint8Array, yielder: Yielder): Promise<boolean> {
  const cleared = withoutHugeNumbers(blob);
  return cleared !== undefined && (await tryParseBlock(cleared, yielder)) !== undefined;
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
    { origin: 'an RPC client', findTransaction: (id) => pool.transaction(id)?.blob },
  );
  if (result.status === 'added' || result.status === 'reorganized') p2p.relayBlock(result.height);
  const isInPool = (id: Uint8Array): boolean => pool.transaction(id) !== undefined;
  const why = reasonAgainst(result, () => parsed.block.txHashes.every(isInPool));
  if (why === undefined) return;
  logger.warn(`submitted block ${toHex(parsed.id)} not accepted: ${why}`);
  throw notAccepted();
}

/** Returns the error for a block that the chain did not take. */
export function notAccepted(): JsonRpcError {
  return new JsonRpcError(RPC_ERROR.blockNotAccepted, 'Block not accepted');
}

/**
 * Returns why a block was not taken, or undefined. A known block is taken again when all its transactions are in the pool,
 * as when it has none: monerod collects them before it looks at the chain.
 * Source: core::handle_block_found in src/cryptonote_core/cryptonote_core.cpp
 */
function reasonAgainst(result: AddBlockResult, isInPool: () => boolean): string | undefined {
  switch (result.status) {
    case 'invalid':
      return result.error.message;
    case 'missing-txs':
      return 'transactions are missing';
    case 'known':
      return isInPool() ? undefined : 'it is known already';
    case 'added':
    case 'reorganized':
    case 'alternative':
    case 'orphan':
      return undefined;
  }
}
