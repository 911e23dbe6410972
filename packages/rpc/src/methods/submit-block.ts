import { tryHex } from '../chain/hex.ts';
import { checkBlobSize, submitMinedBlock, tryParseBlock } from '../chain/submit-block.ts';
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
    const parsed = blob === undefined ? undefined : tryParseBlock(blob);
    if (blob === undefined || parsed === undefined) {
      throw new RpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
    }
    checkBlobSize(blob.length, context);
    await submitMinedBlock(parsed, context);
    return { block_id: parsed.id };
  },
});
