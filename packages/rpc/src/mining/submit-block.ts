import type { Yielder } from '@monero-node/base';
import {
  tryParseBlock,
  WorkDeclinedError,
  type AddBlockResult,
  type WorkClient,
} from '@monero-node/blockchain';
import { toHex, withoutHugeNumbers, type ParsedBlock } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY, type Network } from '@monero-node/consensus';
import { seedHeight } from '@monero-node/pow';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcContext, RpcServices } from '../context.ts';
import type { RpcChain } from '../dependencies.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';

/** The parts of a call's context that submitting a block needs. */
interface SubmitContext extends Pick<RpcContext, 'client' | 'restricted' | 'resting'> {
  readonly services: Pick<RpcServices, 'chain' | 'pool' | 'p2p' | 'ledger' | 'logger'>;
}

/**
 * Returns whether bytes are a block but for a timestamp or height above 2^53 - 1. monerod decodes it; no chain
 * accepts it.
 */
export async function isBlockWithHugeNumbers(
  network: Network,
  blob: Uint8Array,
  yielder: Yielder,
): Promise<boolean> {
  const cleared = withoutHugeNumbers(blob);
  return cleared !== undefined && (await tryParseBlock(network, cleared, yielder)) !== undefined;
}

/** Throws JsonRpcError for a block of more bytes than the weight limit and a leeway. */
export function checkBlobSize(size: number, chain: RpcChain): void {
  if (size <= chain.weightState().limit + BLOCK_SIZE_LEEWAY) return;
  throw new JsonRpcError(
    RPC_ERROR.wrongBlockBlobSize,
    'Block blob size is too big, rejecting block',
  );
}

/**
 * Throws JsonRpcError for a block on an unknown parent, or on one whose child has another RandomX seed than the next block
 * of the main chain: its proof of work would cost a cache. Source: on_submitblock in src/rpc/core_rpc_server.cpp.
 */
export function checkParent({ block }: ParsedBlock, chain: RpcChain): void {
  const { store, height } = chain;
  const parent = store.heightOf(block.prevId) ?? store.altBlock(block.prevId)?.height;
  if (parent === undefined) {
    throw new JsonRpcError(RPC_ERROR.blockNotAccepted, 'Unknown parent block');
  }
  if (seedHeight(parent + 1) === seedHeight(height)) return;
  throw new JsonRpcError(RPC_ERROR.blockNotAccepted, 'Block is too old for restricted RPC');
}

/**
 * Adds a block whose transactions are in the pool to the chain, sends it to peers and, unless the port is restricted, writes down
 * that it was found by this call. Throws JsonRpcError when a transaction is not in the pool or the chain refuses the block;
 * RpcStatus with BUSY when the caller has left or too many blocks wait for their turn.
 * Source: core::handle_block_found in src/cryptonote_core/cryptonote_core.cpp
 */
export async function submitMinedBlock(
  parsed: ParsedBlock,
  call: 'submit_block' | 'generateblocks',
  { services, client, restricted, resting }: SubmitContext,
): Promise<void> {
  const { chain, pool, p2p, ledger, logger } = services;
  const { txHashes } = parsed.block;
  const isInPool = (id: Uint8Array): boolean => pool.transaction(id) !== undefined;
  const isComplete =
    new Set(txHashes.map(toHex)).size === txHashes.length && txHashes.every(isInPool);
  const why = isComplete ? reasonAgainst(await add()) : 'transactions are missing';
  if (why === undefined) return;
  logger.warn(`submitted block ${toHex(parsed.id)} not accepted: ${why}`);
  throw notAccepted();

  async function add(): Promise<AddBlockResult> {
    const addToChain = (): Promise<AddBlockResult> =>
      chain.addBlock(
        { block: parsed, txs: [] },
        {
          origin: 'an RPC client',
          client: client && (restricted ? stranger(client) : owner(client)),
          findTransaction: (id) => pool.transaction(id)?.blob,
        },
      );
    // The block may be added although the caller leaves. What a stranger submits was not found by this node: it may be any block of the
    // network, and would push those of the owner out of the ledger.
    const adding =
      ledger === undefined || restricted
        ? addToChain()
        : ledger.mined(parsed.id, { kind: call, rig: '' }, addToChain);
    const result = await resting(adding).catch((error: unknown) => {
      throw error instanceof WorkDeclinedError ? new RpcStatus(BUSY) : error;
    });
    if (result.status === 'added' || result.status === 'reorganized') p2p.relayBlock(result.height);
    return result;
  }
}

type Caller = NonNullable<SubmitContext['client']>;

/** A refusal costs a stranger nothing. */
const stranger = (client: Caller): WorkClient => ({ ...client, losesByRefusal: false });

/** Each call of the owner counts as a host of its own, which has sent nothing bad. */
const owner = (client: Caller): WorkClient => ({ ...client, host: {}, isOwner: true });

/** Returns the error for a block that the chain did not take. */
export function notAccepted(): JsonRpcError {
  return new JsonRpcError(RPC_ERROR.blockNotAccepted, 'Block not accepted');
}

/**
 * Returns why a block with all its transactions in the pool was not taken, or undefined. A known block is taken again:
 * monerod collects the transactions before it looks at the chain.
 */
function reasonAgainst(result: AddBlockResult): string | undefined {
  switch (result.status) {
    case 'invalid':
      return result.error.message;
    case 'missing-txs':
      return 'transactions are missing';
    case 'known':
    case 'added':
    case 'reorganized':
    case 'alternative':
    case 'orphan':
      return undefined;
  }
}
