import { fromHex } from '@monero-node/codec';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import { JsonRpcError } from '../errors.ts';

/** Decodes hex of any length and case; undefined when it is not hex. */
export function tryHex(text: string): Uint8Array | undefined {
  try {
    return fromHex(text);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a 32-byte block id. Throws JsonRpcError, with the message of the header methods, for text that is not 64 hex
 * digits.
 */
export function blockIdFromHex(text: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes?.length === 32) return bytes;
  throw new JsonRpcError(
    RPC_ERROR.wrongParam,
    `Failed to parse hex representation of block hash. Hex = ${text}.`,
  );
}
