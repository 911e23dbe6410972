import { DecodeError } from '@monero-node/codec';
import { parseCheckpointFile, parseCheckpointRecords } from './parse-checkpoints.ts';

const hash = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3';
export const seeds = [
  `{"hashlines":[{"height":0,"hash":"${hash}"},{"height":1000,"hash":"${hash}"}]}`,
  `1000:${hash}\n2000:${hash}`,
].map((text) => new TextEncoder().encode(text));
export const tokens = ['"height":', '"hash":', `"${hash}"`, ':', '9007199254740992', 'null', '[]'];

/** A file of checkpoints is read or refused with an Error that says why; records of the DNS never throw. */
export function fuzz(input: Uint8Array): void {
  const text = Buffer.from(input).toString('utf8');
  for (const { height } of parseCheckpointRecords(text.split('\n'))) {
    if (!Number.isSafeInteger(height)) throw new Error(`a checkpoint at ${height}`);
  }
  try {
    parseCheckpointFile(text);
  } catch (error) {
    if (error instanceof DecodeError || (error as Error).message.startsWith('hashline')) return;
    throw error;
  }
}
