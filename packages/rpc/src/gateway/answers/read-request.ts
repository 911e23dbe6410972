import {
  type Kind,
  readMessage,
  type Reading,
  type StorageLimits,
} from '@monero-node/codec/portable-storage';
import { readKindSteps, type WireObject, type WireValue } from '@monero-node/rpc-schema';

const NO_MEMBERS: WireObject = new Map();

/** The body limit of 1 MiB allows no honest request that comes near these. */
const REQUEST_LIMITS: StorageLimits = { objects: 65_536, fields: 262_144, strings: 65_536 };

/**
 * Reads a JSON request by its kind, in steps. Anything but an object counts as one without members, and anything but a
 * list as an empty one. Throws FieldTypeError for a value that does not fit its field.
 */
export function* readJsonRequest(
  kind: Kind,
  params: WireValue | undefined,
): Generator<undefined, unknown> {
  if (kind.kind === 'object') {
    return yield* readKindSteps(kind, params instanceof Map ? params : NO_MEMBERS);
  }
  return (params === undefined ? undefined : yield* readKindSteps(kind, params)) ?? [];
}

/**
 * Reads a portable storage request of at most 1 MiB, in steps. Throws DecodeError, from any step, for a body that is
 * malformed, too large or does not fit its table; TypeError for a kind other than an object.
 */
export function* readBinaryRequest(kind: Kind, body: Uint8Array): Reading<unknown> {
  if (kind.kind !== 'object') throw new TypeError('only objects have a binary form');
  return yield* readMessage(kind.table, body, REQUEST_LIMITS);
}
