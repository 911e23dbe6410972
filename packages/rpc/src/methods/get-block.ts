import { blockToJson } from '@monero-node/codec';
import { BLOCK_HEADER, checkedHeight, headerOf } from '../chain/block-header.ts';
import { blockIdFromHex } from '../chain/hex.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getBlock = defineMethod({
  names: ['get_block', 'getblock'],
  summary: 'Gives a whole block by id or height, as a blob and as JSON.',
  restricted: 'served',
  base: 'access',
  request: { hash: f.text(), height: f.u64(), fill_pow_hash: f.bool() },
  response: {
    blob: f.hex(),
    block_header: f.object(BLOCK_HEADER),
    json: f.text(),
    miner_tx_hash: f.hash(),
    tx_hashes: f.hashes(),
  },
  handler: async (request, { chain, blocks, restricted }) => {
    const { hash } = request;
    const found =
      hash === ''
        ? blocks.at(checkedHeight(chain, request.height))
        : blocks.byId(blockIdFromHex(hash));
    if (found === undefined) {
      throw new RpcError(
        RPC_ERROR.internal,
        `Internal error: can't get block by hash. Hash = ${hash}.`,
      );
    }
    const { parsed } = found;
    return {
      blob: parsed.blob,
      block_header: await headerOf(chain, found, request.fill_pow_hash && !restricted),
      json: blockToJson(parsed.block),
      miner_tx_hash: parsed.minerTx.id,
      tx_hashes: parsed.block.txHashes,
    };
  },
});
