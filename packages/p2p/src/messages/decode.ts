import { LEVIN_STORAGE_LIMITS, decodeMessage } from '@monero-node/codec';
import type { MessageSchema } from '@monero-node/codec';

/**
 * The message in the body of a Levin frame. Bounded in the number of its objects, fields and strings
 * (`contrib/epee/include/storages/levin_abstract_invoke2.h`).
 * @throws DecodeError
 */
export function decodeBody<T>(schema: MessageSchema<T>, body: Uint8Array): T {
  return decodeMessage(schema, body, LEVIN_STORAGE_LIMITS);
}
