import { decodeMessage, LEVIN_STORAGE_LIMITS } from '@monero-node/codec/portable-storage';
import type { Fields, InputOf, Table } from '@monero-node/codec/portable-storage';

/**
 * Reads the message in the body of a Levin frame, a blob of portable storage, within monerod's limits on its objects, fields and strings.
 * Throws DecodeError for a body that does not fit the table.
 * Source: buff_to_t_adapter in contrib/epee/include/storages/levin_abstract_invoke2.h
 */
export function decodeBody<F extends Fields>(table: Table<F>, body: Uint8Array): InputOf<F> {
  return decodeMessage(table, body, LEVIN_STORAGE_LIMITS);
}
