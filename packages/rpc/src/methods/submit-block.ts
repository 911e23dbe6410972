import { DecodeError, parseBlock, toHex, type ParsedBlock } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY } from '@monero-node/consensus';
import { tryHex } from '../chain/hex.ts';
import type { RpcContext } from '../context.ts';
import { BUSY, RPC_ERROR, RpcError, RpcStatus } from '../errors.ts';
import { defineListMethod } from '../method.ts';
import { f, optional } from '../wire/fields.ts';

/** Takes a mined block. Its transactions have to be in the pool. */
export const submitBlock = defineListMethod({
  names: ['submit_block', 'submitblock'],
  summary: 'Takes a mined block.',
  restricted: 'served',
  items: f.text(),
  response: { block_id: optional(f.hash()) },
  handler: async (items, context) => {
    if (!context.p2p.synchronized) throw new RpcStatus(BUSY);
    const [hex] = items;
    if (hex === undefined || items.length !== 1) {
      throw new RpcError(RPC_ERROR.wrongParam, 'Wrong param');
    }
    const blob = tryHex(hex);
    const parsed = blob === undefined ? undefined : tryParse(blob);
    if (blob === undefined || parsed === undefined) {
      throw new RpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
    }
    if (blob.length > context.chain.weightState().limit + BLOCK_SIZE_LEEWAY) {
      throw new RpcError(
        RPC_ERROR.wrongBlockBlobSize,
        'Block blob size is too big, rejecting block',
      );
    }
    await submit(parsed, context);
    return { block_id: parsed.id };
  },
});

function tryParse(blob: Uint8Array): ParsedBlock | undefined {
  try {
    return parseBlock(blob);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

async function submit(
  parsed: ParsedBlock,
  { chain, pool, p2p, logger }: RpcContext,
): Promise<void> {
  const txs = parsed.block.txHashes
    .map((id) => pool.transaction(id)?.blob)
    .filter((blob) => blob !== undefined);
  const result = await chain.addBlock({ block: parsed.blob, txs });
  if (result.status === 'added' || result.status === 'reorganized') p2p.relayBlock(result.height);
  if (result.status === 'invalid' || result.status === 'missing-txs') {
    const why = result.status === 'invalid' ? result.error.message : 'transactions are missing';
    logger.warn(`submitted block ${toHex(parsed.id)} not accepted: ${why}`);
    throw new RpcError(RPC_ERROR.blockNotAccepted, 'Block not accepted');
  }
}
