import { concatBytes } from '@monero-node/codec/bytes';
import { reduceToScalar } from '@monero-node/crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Source: CARROT_DOMAIN_SEP_… in monero, src/carrot_core/config.h. */
const DOMAINS = {
  proveSpendKey: 'Carrot prove-spend key',
  viewBalanceSecret: 'Carrot view-balance secret',
  generateImagePreimage: 'Carrot generate-image preimage secret',
  generateImageKey: 'Carrot generate-image key',
  incomingViewKey: 'Carrot incoming view key',
  generateAddressSecret: 'Carrot generate-address secret',
  addressIndexPreimage1: 'Carrot address index preimage 1',
  addressIndexPreimage2: 'Carrot address index preimage 2',
  subaddressScalar: 'Carrot subaddress scalar',
  ephemeralSecret: 'Carrot sending key normal',
  senderReceiverSecret: 'Carrot sender-receiver secret',
  commitmentMask: 'Carrot commitment mask',
  extensionG: 'Carrot key extension G',
  extensionT: 'Carrot key extension T',
  coinbaseExtensionG: 'Carrot coinbase extension G',
  coinbaseExtensionT: 'Carrot coinbase extension T',
  viewTag: 'Carrot view tag',
  anchorMask: 'Carrot encryption mask anchor',
  amountMask: 'Carrot encryption mask a',
  paymentIdMask: 'Carrot encryption mask pid',
  specialAnchor: 'Carrot janus anchor special',
} as const;

export type CarrotDomain = keyof typeof DOMAINS;

const PERSONALIZATION = new Uint8Array(16);
PERSONALIZATION.set(utf8ToBytes('Monero'));

/**
 * Returns Hx[key](domain, items): Blake2b of `size` bytes with a key of 32 bytes, or none, and the personalization "Monero", of the
 * length of the domain as one byte, the domain and the items.
 * Source: src/carrot_core/{hash_functions.cpp,transcript_fixed.h} in monero.
 */
export function carrotHash(
  size: number,
  key: Uint8Array | undefined,
  domain: CarrotDomain,
  ...items: Uint8Array[]
): Uint8Array {
  const name = utf8ToBytes(DOMAINS[domain]);
  const message = concatBytes(Uint8Array.of(name.length), name, ...items);
  return key === undefined
    ? blake2b(message, { dkLen: size, personalization: PERSONALIZATION })
    : blake2b(message, { dkLen: size, personalization: PERSONALIZATION, key });
}

/** Returns Hn[key](domain, items): the hash of 64 bytes modulo l, a scalar of 32 bytes. */
export function carrotScalar(
  key: Uint8Array | undefined,
  domain: CarrotDomain,
  ...items: Uint8Array[]
): Uint8Array {
  return reduceToScalar(carrotHash(64, key, domain, ...items));
}

/** Returns a ^ b for bytes of the same length. */
export function xorBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] as number));
}
