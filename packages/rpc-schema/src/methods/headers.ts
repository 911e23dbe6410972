import {
  defineTable,
  f,
  type Field,
  type InputOf,
  omitDefault,
  type OutputOf,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';
import type { RenderedJson } from '../wire/write-json.ts';

/** `block_header`: what every method says about a block. */
export const BLOCK_HEADER = defineTable({
  block_size: f.u64(),
  block_weight: omitDefault(f.u64()),
  cumulative_difficulty: f.u64(),
  cumulative_difficulty_top64: f.u64(),
  depth: f.u64(),
  difficulty: f.u64(),
  difficulty_top64: f.u64(),
  hash: f.hash(),
  height: f.u64(),
  long_term_weight: omitDefault(f.u64()),
  major_version: f.u8(),
  miner_tx_hash: f.hash(),
  minor_version: f.u8(),
  nonce: f.u32(),
  num_txes: f.u64(),
  orphan_status: f.bool(),
  pow_hash: f.text(),
  prev_hash: f.hash(),
  reward: f.u64(),
  timestamp: f.u64(),
  wide_cumulative_difficulty: f.text(),
  wide_difficulty: f.text(),
});
type HeaderFields = (typeof BLOCK_HEADER)['fields'];
export type BlockHeaderAnswer = OutputOf<HeaderFields>;

/** A header; the nodes that serve it keep its JSON text, which is all that these methods need. */
const HEADER: Field<
  InputOf<HeaderFields>,
  BlockHeaderAnswer | RenderedJson | undefined,
  true
> = f.object(BLOCK_HEADER);

/** Methods about single blocks. */
export const HEADER_METHODS = {
  getLastBlockHeader: defineMethod({
    names: ['get_last_block_header', 'getlastblockheader'],
    summary: 'Returns the header of the top block.',
    restricted: 'served',
    steady: true,
    base: 'access',
    request: { fill_pow_hash: f.bool() },
    response: { block_header: f.object(BLOCK_HEADER) },
  }),
  getBlockHeaderByHash: defineMethod({
    names: ['get_block_header_by_hash', 'getblockheaderbyhash'],
    summary: 'Returns block headers by block id.',
    restricted: 'served',
    base: 'access',
    request: { hash: f.hexText(), hashes: f.hexTexts(), fill_pow_hash: f.bool() },
    response: { block_header: f.object(BLOCK_HEADER), block_headers: f.objects(BLOCK_HEADER) },
  }),
  getBlockHeaderByHeight: defineMethod({
    names: ['get_block_header_by_height', 'getblockheaderbyheight'],
    summary: 'Returns the header of the block at a height.',
    restricted: 'served',
    steady: true,
    base: 'access',
    request: { height: f.u64(), fill_pow_hash: f.bool() },
    response: { block_header: HEADER },
  }),
  getBlockHeadersRange: defineMethod({
    names: ['get_block_headers_range', 'getblockheadersrange'],
    summary: 'Returns the headers of consecutive blocks.',
    restricted: 'served',
    base: 'access',
    request: { start_height: f.u64(), end_height: f.u64(), fill_pow_hash: f.bool() },
    response: { headers: f.objects(BLOCK_HEADER) },
  }),
  getBlock: defineMethod({
    names: ['get_block', 'getblock'],
    summary: 'Returns a whole block by id or height, as a blob and as JSON.',
    restricted: 'served',
    base: 'access',
    request: { hash: f.hexText(), height: f.u64(), fill_pow_hash: f.bool() },
    response: {
      blob: f.hex(),
      block_header: f.object(BLOCK_HEADER),
      json: f.text(),
      miner_tx_hash: f.hash(),
      tx_hashes: f.hashes(),
    },
  }),
};
