import {
  decodeStorage,
  type StorageLimits,
  type StorageSection,
  type StorageValue,
} from '@monero-node/codec';
import { WireDouble, wireInteger, type WireObject, type WireValue } from './value.ts';

/** The body limit of 1 MiB allows no honest request that comes near these. */
const LIMITS: StorageLimits = { objects: 65_536, fields: 262_144, strings: 65_536 };

/** Reads a portable storage document, by default within the limits of a request. Throws DecodeError. */
export function parseWireStorage(body: Uint8Array, limits: StorageLimits = LIMITS): WireObject {
  return wireSection(decodeStorage(body, limits));
}

function wireSection(section: StorageSection): WireObject {
  const object: WireObject = new Map();
  for (const [name, value] of section) {
    const wire = wireValue(value);
    if (!(Array.isArray(wire) && wire.length === 0)) object.set(name, wire);
  }
  return object;
}

function wireValue(value: StorageValue): WireValue {
  switch (value.type) {
    case 'array':
      return value.items.map((item) => {
        if (item instanceof Map) return wireSection(item);
        if (typeof item === 'bigint') return wireInteger(item);
        return value.of === 'double' ? new WireDouble(item as number) : item;
      });
    case 'object':
      return wireSection(value.value);
    case 'double':
      return new WireDouble(value.value);
    case 'int64':
    case 'uint64':
      return wireInteger(value.value);
    default:
      return value.value;
  }
}
