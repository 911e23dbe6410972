import { echoJson, EchoTooLongError, type WireValue } from '@monero-node/rpc-schema';

/**
 * Longest id of a call as it is echoed, characters. The standard knows strings and numbers only; monerod echoes
 * any value, and the indentation of nested objects makes the answer up to fifty times as long as the request.
 */
const MAX_ID_LENGTH = 65_536;

/** The id of calls that have none, as it is echoed. */
export const NO_ID = '0';

/** Returns the id of a call as it is echoed; undefined when that would be too long. */
export function echoedId(id: WireValue): string | undefined {
  try {
    return echoJson(id, 1, MAX_ID_LENGTH);
  } catch (error) {
    if (error instanceof EchoTooLongError) return undefined;
    throw error;
  }
}
