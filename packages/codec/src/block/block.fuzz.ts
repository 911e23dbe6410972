import { bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { blockToJson } from './block-json.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import type { Formats } from '../formats.ts';
import { readEras } from '../testing/fixtures.ts';
import { readNextFork } from '../testing/next-fork.ts';
import { blockHashingBlob, blockId, encodeBlock, parseBlock, parseBlockHeader } from './block.ts';

export const maxLength = 20_000;
/** Every twentieth block of the recorded chains of the next fork, of versions 16 to 18. */
const nextFork = readNextFork()
  .chains.flatMap(({ blocks }) => blocks.map(({ blob }) => blob))
  .filter((blob, i) => i % 20 === 0 && blob !== '');
export const seeds = [...readEras().blocks.map(({ hex }) => hex), ...nextFork].map(fromHex);

/** A block that is accepted has an id, a hashing blob and JSON, and is encoded to the bytes that it has the id of. */
export function fuzz(input: Uint8Array): void {
  for (const formats of ['fcmp', 'fcmp-uncounted', 'ringct'] as const) fuzzFormats(input, formats);
}

function fuzzFormats(input: Uint8Array, formats: Formats): void {
  const found = unlessRefused(() => {
    parseBlockHeader(input);
    return parseBlock(input, formats);
  }, DecodeError);
  if (found === undefined) return;
  if (!bytesEqual(encodeBlock(found.block), found.blob)) throw new Error('the block differs');
  if (!bytesEqual(blockId(found.block, formats), found.id)) throw new Error('the id differs');
  if (blockHashingBlob(found.block, formats).length < 76 - 32)
    throw new Error('a short hashing blob');
  if (found.block.minerTx.inputs.length === 1) JSON.parse(blockToJson(found.block));
}
