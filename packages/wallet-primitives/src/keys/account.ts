import { type AddressNetwork, parseAddress } from '@monero-node/codec';
import { assertBytes, bytesEqual } from '@monero-node/codec/bytes';
import { keccak256, reduceToScalar } from '@monero-node/crypto';
import { publicKeyOfNamed } from './check-account.ts';

/** The keys that find the outputs of an account. They cannot spend them. */
export interface ViewAccount {
  /** A scalar, 32 bytes. */
  readonly viewSecret: Uint8Array;
  /** The public spend key of the main address, 32 bytes. */
  readonly spendKey: Uint8Array;
}

/** What finds the outputs of an address, and whose network it is. */
export interface AddressAccount extends ViewAccount {
  readonly network: AddressNetwork;
}

/** All keys of an account, 32 bytes each. */
export interface Account extends ViewAccount {
  /** A scalar; whoever has it can spend. */
  readonly spendSecret: Uint8Array;
  /** The public view key of the main address. */
  readonly viewKey: Uint8Array;
}

/**
 * Returns the keys of a seed of 32 bytes: the spend key is the seed modulo l, the view key is derived from it.
 * Throws RangeError for another size or a seed that is 0 modulo l, and TypeError for anything but bytes.
 * Source: account_base::generate in src/cryptonote_basic/account.cpp.
 */
export function accountFromSeed(seed: Uint8Array): Account {
  assertBytes(seed, 'seed', 32);
  return accountFromSpendSecret(reduceToScalar(seed));
}

/** Returns the keys of a spend key, a scalar of 32 bytes. Throws RangeError for one that is 0 or not below l. */
export function accountFromSpendSecret(spendSecret: Uint8Array): Account {
  const spendKey = publicKeyOfNamed(spendSecret, 'spendSecret');
  const viewSecret = reduceToScalar(keccak256(spendSecret));
  const viewKey = publicKeyOfNamed(viewSecret, 'viewSecret');
  return { spendSecret, spendKey, viewSecret, viewKey };
}

/**
 * Returns the keys of an account whose two secrets were made apart, scalars of 32 bytes.
 * Throws RangeError for a secret that is 0 or not below l.
 */
export function accountFromSecrets(secrets: {
  readonly spendSecret: Uint8Array;
  readonly viewSecret: Uint8Array;
}): Account {
  const { spendSecret, viewSecret } = secrets;
  const spendKey = publicKeyOfNamed(spendSecret, 'spendSecret');
  const viewKey = publicKeyOfNamed(viewSecret, 'viewSecret');
  return { spendSecret, spendKey, viewSecret, viewKey };
}

/**
 * Returns the account of a main address and its secret view key, a scalar of 32 bytes: what a shop has that cannot spend.
 *
 * Throws DecodeError for text that is no address, RangeError for a subaddress, for what is no view key, and for the view key of another
 * address, and TypeError for anything but bytes. The message names the address, and never shows the key.
 */
export function accountFromAddress(address: string, viewSecret: Uint8Array): AddressAccount {
  const { network, kind, spendKey, viewKey } = parseAddress(address);
  if (kind === 'subaddress')
    throw new RangeError(`${address} is a subaddress: give the main address of its account`);
  if (!bytesEqual(publicKeyOfNamed(viewSecret, 'viewSecret'), viewKey))
    throw new RangeError(`viewSecret is not the view key of ${address}`);
  return { network, spendKey, viewSecret };
}
