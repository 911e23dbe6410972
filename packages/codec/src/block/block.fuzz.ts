import { bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { blockToJson } from './block-json.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import { readEras } from '../testing/fixtures.ts';
import { blockHashingBlob, blockId, encodeBlock, parseBlock, parseBlockHeader } from './block.ts';

export const maxLength = 20_000;
export const seeds = readEras().blocks.map(({ hex }) => fromHex(hex));

/** A block that is accepted has an id, a hashing blob and JSON, and is encoded to the bytes that it has the id of. */
export function fuzz(input: Uint8Array): void {
  const found = unlessRefused(() => {
    parseBlockHeader(input);
    return parseBlock(input);
  }, DecodeError);
  if (found === undefined) return;
  if (!bytesEqual(encodeBlock(found.block), found.blob)) throw new Error('the block differs');
  if (!bytesEqual(blockId(found.block), found.id)) throw new Error('the id differs');
  if (blockHashingBlob(found.block).length < 76 - 32) throw new Error('a short hashing blob');
  if (found.block.minerTx.inputs.length === 1) JSON.parse(blockToJson(found.block));
}
