import { keccak256 } from '@monero-node/keccak';
import { assertBytes, assertChoice, assertString, bytesEqual, concatBytes } from '../bytes.ts';
import { ByteReader } from '../byte-reader.ts';
import { DecodeError } from '../errors.ts';
import { encodeVarint } from '../varint.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

/** The networks that addresses are of. A regtest chain uses mainnet's addresses. */
export const ADDRESS_NETWORKS = ['mainnet', 'testnet', 'stagenet'] as const;
/** One of {@link ADDRESS_NETWORKS}. */
export type AddressNetwork = (typeof ADDRESS_NETWORKS)[number];
const KINDS = ['standard', 'integrated', 'subaddress'] as const;
export type AddressKind = (typeof KINDS)[number];

export interface Address {
  /** A regtest chain uses mainnet's addresses. */
  network: AddressNetwork;
  kind: AddressKind;
  /** 32 bytes each. Parsing does not check that they are curve points. */
  spendKey: Uint8Array;
  viewKey: Uint8Array;
  /** 8 bytes, integrated addresses only. */
  paymentId?: Uint8Array;
}

/** The number an address begins with. Source: src/cryptonote_config.h. */
export const ADDRESS_PREFIXES: Record<AddressNetwork, Record<AddressKind, number>> = {
  mainnet: { standard: 18, integrated: 19, subaddress: 42 },
  testnet: { standard: 53, integrated: 54, subaddress: 63 },
  stagenet: { standard: 24, integrated: 25, subaddress: 36 },
};

const CHECKSUM_SIZE = 4;
/** Characters of an integrated address, the longest kind; others have 95. */
const MAX_ADDRESS_LENGTH = 106;

/**
 * Parses the base58 text of an account's address, of any network.
 * Throws DecodeError when it is malformed, has an unknown prefix or a wrong checksum: the message has the text and why it is no address.
 * Throws TypeError for anything but a string.
 * Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_account_address_from_str.
 */
export function parseAddress(text: string): Address {
  assertString(text, 'address');
  try {
    return readAddress(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const rest = text.length > MAX_ADDRESS_LENGTH ? '…' : '';
    const shown = JSON.stringify(text.slice(0, MAX_ADDRESS_LENGTH) + rest);
    const { reason, offset } = error;
    throw new DecodeError(`${shown} is not an address: ${reason}`, offset, { cause: error });
  }
}

function readAddress(text: string): Address {
  if (text.length > MAX_ADDRESS_LENGTH) throw new DecodeError('too long', text.length);
  const bytes = decodeBase58(text);
  if (bytes.length <= CHECKSUM_SIZE) throw new DecodeError('too short', text.length);
  const body = bytes.subarray(0, -CHECKSUM_SIZE);
  if (!bytesEqual(checksum(body), bytes.subarray(-CHECKSUM_SIZE))) {
    throw new DecodeError('wrong checksum', text.length);
  }
  const reader = new ByteReader(body);
  const { network, kind } = findPrefix(reader.varint());
  const address: Address = {
    network,
    kind,
    spendKey: reader.bytes(32),
    viewKey: reader.bytes(32),
  };
  if (kind === 'integrated') address.paymentId = reader.bytes(8);
  reader.end();
  return address;
}

/**
 * Returns the base58 text of an address. Throws RangeError when a part has the wrong size or an address that is not integrated has a
 * payment id, and TypeError when a part is missing or the network or the kind is not one that there is.
 */
export function formatAddress(address: Address): string {
  const { network, kind, spendKey, viewKey } = address;
  assertChoice(network, 'network', ADDRESS_NETWORKS);
  assertChoice(kind, 'kind', KINDS);
  const { paymentId = kind === 'integrated' ? undefined : new Uint8Array(0) } = address;
  assertBytes(spendKey, 'spendKey', 32);
  assertBytes(viewKey, 'viewKey', 32);
  assertBytes(paymentId, 'paymentId', kind === 'integrated' ? 8 : 0);
  const prefix = encodeVarint(ADDRESS_PREFIXES[network][kind]);
  const body = concatBytes(prefix, spendKey, viewKey, paymentId);
  return encodeBase58(concatBytes(body, checksum(body)));
}

function checksum(body: Uint8Array): Uint8Array {
  return keccak256(body).subarray(0, CHECKSUM_SIZE);
}

function findPrefix(prefix: bigint): { network: AddressNetwork; kind: AddressKind } {
  for (const [network, kinds] of Object.entries(ADDRESS_PREFIXES)) {
    for (const [kind, value] of Object.entries(kinds)) {
      if (BigInt(value) === prefix) {
        return { network: network as AddressNetwork, kind: kind as AddressKind };
      }
    }
  }
  throw new DecodeError(`unknown prefix ${prefix}`);
}
