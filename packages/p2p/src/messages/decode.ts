import { inSlices, type Yielder } from '@monero-node/base';
import {
  decodeMessage,
  LEVIN_STORAGE_LIMITS,
  readMessage,
} from '@monero-node/codec/portable-storage';
import type { Fields, InputOf, Table } from '@monero-node/codec/portable-storage';

/** Bodies of at most this many bytes are read in one go, which takes a few milliseconds at worst. */
const AT_ONCE = 16 * 1024;

/**
 * Reads the message in the body of a Levin frame, a blob of portable storage, within monerod's limits on its objects, fields and strings.
 * Throws DecodeError for a body that does not fit the table.
 * Source: buff_to_t_adapter in contrib/epee/include/storages/levin_abstract_invoke2.h
 */
export function decodeBody<F extends Fields>(table: Table<F>, body: Uint8Array): InputOf<F> {
  return decodeMessage(table, body, LEVIN_STORAGE_LIMITS);
}

/**
 * Reads the bytes of a message as {@link decodeBody} does: a short one at once, a long one in slices. Throws DecodeError, or rejects
 * with it.
 *
 * @param newYielder called for a long body only
 */
export function decodeInSlices<F extends Fields>(
  table: Table<F>,
  body: Uint8Array,
  newYielder: () => Yielder,
): InputOf<F> | Promise<InputOf<F>> {
  return body.length <= AT_ONCE ? decodeBody(table, body) : decodeLong(table, body, newYielder());
}

async function decodeLong<F extends Fields>(
  table: Table<F>,
  body: Uint8Array,
  yielder: Yielder,
): Promise<InputOf<F>> {
  return inSlices(readMessage(table, body, LEVIN_STORAGE_LIMITS), yielder);
}
