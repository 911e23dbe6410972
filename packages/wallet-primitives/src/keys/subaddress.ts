import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { ADDRESS_NETWORKS, formatAddress, type AddressNetwork } from '@monero-node/codec';
import { assertBytes, bytesEqual } from '@monero-node/codec/bytes';
import { type CryptoBackend, hashToScalarBytes, publicKeyOf } from '@monero-node/crypto';
import type { ViewAccount } from './account.ts';
import { type CarrotViewAccount, isCarrotAccount } from './carrot-account.ts';
import { carrotHash, carrotScalar } from './carrot-hashes.ts';
import { checkAccount } from './check-account.ts';
import { G_BYTES, IDENTITY, ONE, sumOf, ZERO } from './points.ts';

/** The place of an address in an account's tree; (0, 0) is the main address. Both numbers are below 2^32. */
export interface SubaddressIndex {
  /** The account within the wallet; monerod's wallets call it the major index. */
  readonly account: number;
  /** The address within the account; the minor index. */
  readonly index: number;
}

/** The public keys of an address, 32 bytes each. */
export interface SubaddressKeys {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
}

/** Options of {@link accountAddress}. */
export interface AccountAddressOptions {
  /** A regtest chain uses mainnet's addresses. */
  readonly network: AddressNetwork;
  /** The main address by default. */
  readonly at?: SubaddressIndex;
  /** 8 bytes, for the main address only. */
  readonly paymentId?: Uint8Array;
  readonly backend: CryptoBackend;
}

const INDEX: OptionTable<SubaddressIndex> = { account: NEEDED, index: NEEDED };
const ADDRESS_OPTIONS: OptionTable<AccountAddressOptions> = {
  network: { choices: ADDRESS_NETWORKS },
  at: { optional: true, table: INDEX },
  paymentId: OPTIONAL,
  backend: NEEDED,
};

/** "SubAddr" with its terminating zero. Source: HASH_KEY_SUBADDRESS in src/cryptonote_config.h. */
const DOMAIN = new TextEncoder().encode('SubAddr\0');
const LIMIT = 2 ** 32;

function isMain({ account, index }: SubaddressIndex): boolean {
  return account === 0 && index === 0;
}

/** Returns both numbers of an index, 4 bytes each. Throws RangeError for one outside 0 to 2^32 - 1. */
function indexBytes(at: SubaddressIndex): [Uint8Array, Uint8Array] {
  const encode = (name: 'account' | 'index'): Uint8Array => {
    const number = at[name];
    if (!Number.isInteger(number) || number < 0 || number >= LIMIT) {
      throw new RangeError(`the ${name} of an address is a whole number below 2^32, not ${number}`);
    }
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, number, true);
    return bytes;
  };
  return [encode('account'), encode('index')];
}

/**
 * Returns the secret of a subaddress of the old hierarchy, which is added to the spend key: a scalar of 32 bytes, 0 for the main
 * address.
 * Throws RangeError for an index outside 0 to 2^32 - 1 or a secret of another size, and TypeError for anything but bytes.
 * Source: get_subaddress_secret_key in src/device/device_default.cpp.
 */
export function subaddressSecret(viewSecret: Uint8Array, at: SubaddressIndex): Uint8Array {
  assertBytes(viewSecret, 'viewSecret', 32);
  const numbers = indexBytes(at);
  if (isMain(at)) return ZERO;
  return hashToScalarBytes(DOMAIN, viewSecret, ...numbers);
}

/**
 * Returns the scalars of subaddresses of the Carrot hierarchy, by which the keys of the account are multiplied: 32 bytes each, 1 for the
 * main address. Throws RangeError for an index outside 0 to 2^32 - 1 or a spend key that is no point.
 * Source: make_carrot_subaddress_scalar and its preimages in src/carrot_core/address_utils.cpp.
 */
export function carrotSubaddressScalars(
  account: CarrotViewAccount,
  places: readonly SubaddressIndex[],
  backend: CryptoBackend,
): Uint8Array[] {
  const { addressSecret, spendKey } = account;
  const viewKey = carrotViewKey(account, backend);
  return places.map((at) => {
    const numbers = indexBytes(at);
    if (isMain(at)) return ONE;
    const first = carrotHash(32, addressSecret, 'addressIndexPreimage1', ...numbers);
    const own = [spendKey, viewKey];
    const second = carrotHash(32, first, 'addressIndexPreimage2', ...numbers, ...own);
    return carrotScalar(second, 'subaddressScalar', spendKey);
  });
}

/** Returns K_v = k_v·K_s, 32 bytes, the view key that subaddresses of the Carrot hierarchy are multiples of. */
function carrotViewKey({ viewSecret, spendKey }: ViewAccount, backend: CryptoBackend): Uint8Array {
  return sumOf({ a: viewSecret, A: spendKey, b: ZERO, B: G_BYTES }, backend);
}

/**
 * Returns the public spend keys of addresses of an account of either hierarchy, 32 bytes each.
 * Throws RangeError for an index outside 0 to 2^32 - 1 or a spend key of the account that is not a point.
 */
export function subaddressSpendKeys(
  account: ViewAccount | CarrotViewAccount,
  places: readonly SubaddressIndex[],
  backend: CryptoBackend,
): Uint8Array[] {
  const { viewSecret, spendKey } = account;
  const sums = isCarrotAccount(account)
    ? carrotSubaddressScalars(account, places, backend).map((a) => {
        return { a, A: spendKey, b: ZERO, B: G_BYTES };
      })
    : places.map((at) => {
        return { a: subaddressSecret(viewSecret, at), A: G_BYTES, b: ONE, B: spendKey };
      });
  return backend.addMultiples(sums).map(pointOf);
}

/**
 * Returns the public keys of an address of an account of either hierarchy.
 * Throws RangeError as subaddressSpendKeys does. Source: get_subaddress in src/device/device_default.cpp.
 */
export function subaddressKeys(
  account: ViewAccount | CarrotViewAccount,
  at: SubaddressIndex,
  backend: CryptoBackend,
): SubaddressKeys {
  const { viewSecret, spendKey } = account;
  if (isMain(at)) return { spendKey, viewKey: publicKeyOf(viewSecret) };
  const [own] = subaddressSpendKeys(account, [at], backend) as [Uint8Array];
  const viewKey = sumOf({ a: viewSecret, A: own, b: ZERO, B: G_BYTES }, backend);
  return { spendKey: own, viewKey };
}

/**
 * Returns the text of an address of an account: the main address, a subaddress, or with a payment id of 8 bytes the
 * integrated address, which only the main address has.
 * Throws RangeError for an index out of range, a payment id of the wrong size or a key of the account that is none, TypeError for a key that
 * is not bytes, and OptionError for an option or a network that there is not: an address of another place than the one that was meant would take the money.
 */
export function accountAddress(
  account: ViewAccount | CarrotViewAccount,
  options: AccountAddressOptions,
): string {
  checkOptions('accountAddress', options, ADDRESS_OPTIONS);
  const { network, at = { account: 0, index: 0 }, paymentId, backend } = options;
  const keys = keysOf(account, at, backend);
  if (paymentId !== undefined) {
    if (!isMain(at)) throw new RangeError('only the main address takes a payment id');
    return formatAddress({ ...keys, network, kind: 'integrated', paymentId });
  }
  return formatAddress({ ...keys, network, kind: isMain(at) ? 'standard' : 'subaddress' });
}

/** Returns the public keys of an address. Throws as `accountAddress` does, with a message that names the key that is wrong. */
function keysOf(
  account: ViewAccount | CarrotViewAccount,
  at: SubaddressIndex,
  backend: CryptoBackend,
): SubaddressKeys {
  try {
    const keys = subaddressKeys(account, at, backend);
    // 0 is a scalar, and multiplies any point to this one.
    if (bytesEqual(keys.viewKey, IDENTITY)) checkAccount('accountAddress', account, backend);
    return keys;
  } catch (error) {
    checkAccount('accountAddress', account, backend);
    throw error;
  }
}

function pointOf(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined)
    throw new RangeError('a key of the account is not a point or not a scalar');
  return bytes;
}
