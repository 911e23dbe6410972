import { isCurvePoint } from '@monero-node/crypto/curve';
import { sha3_256 } from '@noble/hashes/sha3.js';

/** Hosts of peers that connect through a hidden service, whose addresses cannot be known. */
export const UNKNOWN_HOSTS = { tor: '<unknown tor host>', i2p: '<unknown i2p host>' } as const;

/** I2P has no ports; this one is sent because old nodes expect one. */
export const I2P_PORT = 1;

const ONION = /^([a-z2-7]{56})\.onion$/;
const I2P_BASE32 = /^[a-z2-7]{52}\.b32\.i2p$/;
const I2P_NAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*\.i2p$/;
const I2P_NAME_LENGTH = 63;
const ONION_VERSION = 3;
const PUBLIC_KEY_SIZE = 32;
const CHECKSUM_SIZE = 2;

/**
 * Returns the canonical form of a Tor v3 host: 56 base32 characters with an ed25519 key, its checksum and the version,
 * then `.onion`. Undefined for anything else, including v2 names.
 * Source: host_check in src/net/tor_address.cpp; Tor rend-spec-v3, section 6
 */
export function canonicalOnion(host: string): string | undefined {
  const name = host.toLowerCase();
  const base32 = ONION.exec(name)?.[1];
  if (base32 === undefined) return undefined;
  const bytes = fromBase32(base32);
  const key = bytes.subarray(0, PUBLIC_KEY_SIZE);
  const checksum = sha3_256
    .create()
    .update(new TextEncoder().encode('.onion checksum'))
    .update(key)
    .update(Uint8Array.of(ONION_VERSION))
    .digest();
  const valid =
    bytes[PUBLIC_KEY_SIZE + CHECKSUM_SIZE] === ONION_VERSION &&
    bytes[PUBLIC_KEY_SIZE] === checksum[0] &&
    bytes[PUBLIC_KEY_SIZE + 1] === checksum[1] &&
    isCurvePoint(key);
  return valid ? name : undefined;
}

/**
 * Returns the canonical form of an I2P host: 52 base32 characters and `.b32.i2p`, or a name of at most 63 characters and
 * `.i2p`. Undefined for anything else.
 * Source: host_check in src/net/i2p_address.cpp
 */
export function canonicalI2p(host: string): string | undefined {
  const name = host.toLowerCase();
  if (name.endsWith('.b32.i2p')) return I2P_BASE32.test(name) ? name : undefined;
  const fits = name.length <= I2P_NAME_LENGTH + '.i2p'.length;
  return fits && I2P_NAME.test(name) ? name : undefined;
}

/** Decodes RFC 4648 base32 in lower case; surplus bits are dropped. */
function fromBase32(text: string): Uint8Array {
  const out = new Uint8Array(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let value = 0;
  let at = 0;
  for (const char of text) {
    value = ((value << 5) | 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out[at++] = (value >> bits) & 0xff;
  }
  return out;
}
