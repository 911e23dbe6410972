import { bytesToHex } from '@noble/hashes/utils.js';

/** Plain data as JSON: byte arrays in hex, bigints in decimal. */
export function toJson(data: unknown): string {
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return bytesToHex(value);
    if (typeof value === 'bigint') return `${value}`;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  };
  return JSON.stringify(plain(data), undefined, 2);
}
