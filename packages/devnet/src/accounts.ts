import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { ADDRESS_NETWORKS, formatAddress, parseAddress, type Address } from '@monero-node/codec';
import { createBackend, keccak256, type CryptoBackend } from '@monero-node/crypto';
import {
  accountAddress,
  accountFromSecrets,
  accountFromSeed,
  carrotAccountFromMasterSecret,
  encodeSeed,
  type Account,
  type CarrotAccount,
  type SubaddressIndex,
} from '@monero-node/wallet-primitives';
import { english } from '@monero-node/wallet-primitives/words/english';

/** An account whose secrets everybody knows. Use it on private chains only. */
export interface DevAccount {
  /** The main address. Wallets on mainnet and regtest write it alike. */
  readonly address: string;
  /** 25 English words, from which any wallet restores the account. */
  readonly seed: string;
  /** 32 bytes. */
  readonly spendSecret: Uint8Array;
  /** 32 bytes. */
  readonly viewSecret: Uint8Array;
}

/**
 * Returns the account with this number; it is the same in every version of this package. Account 0 receives the blocks
 * that are mined for nobody in particular. Throws RangeError unless the number is whole and 0 or more, and OptionError for a network
 * that has no addresses.
 *
 * @param network whose wallets take the address; mainnet, for mainnet and regtest, when absent
 */
export function devAccount(index: number, network: Address['network'] = 'mainnet'): DevAccount {
  if (!Number.isSafeInteger(index) || index < 0)
    throw new RangeError('the number of an account is whole and 0 or more');
  checkArgument('devAccount', 'network', network, { choices: ADDRESS_NETWORKS });
  const hash = keccak256(new TextEncoder().encode(`monero-node devnet account ${index}`));
  const { spendSecret, viewSecret, spendKey, viewKey } = accountFromSeed(hash);
  return {
    address: formatAddress({ network, kind: 'standard', spendKey, viewKey }),
    // Of the reduced key, so that words, key and address agree.
    seed: encodeSeed(spendSecret, english),
    spendSecret,
    viewSecret,
  };
}

/** An account of the Carrot hierarchy whose secrets everybody knows. Use it on private chains only. */
export interface DevCarrotAccount {
  /** The main address. Wallets on mainnet and regtest write it alike. */
  readonly address: string;
  /** 32 bytes, from which all other secrets follow. */
  readonly masterSecret: Uint8Array;
}

/**
 * Returns the account of the Carrot hierarchy with this number; it is the same in every version of this package. It is paid at any height,
 * and can spend what it was paid from version 17 on. Throws as `devAccount` does.
 *
 * @param network whose wallets take the address; mainnet, for mainnet and regtest, when absent
 */
export function devCarrotAccount(
  index: number,
  network: Address['network'] = 'mainnet',
): DevCarrotAccount {
  if (!Number.isSafeInteger(index) || index < 0)
    throw new RangeError('the number of an account is whole and 0 or more');
  checkArgument('devCarrotAccount', 'network', network, { choices: ADDRESS_NETWORKS });
  const text = new TextEncoder().encode(`monero-node devnet Carrot account ${index}`);
  const masterSecret = keccak256(text);
  const backend = createBackend();
  const account = carrotAccountFromMasterSecret(masterSecret, backend);
  return { address: accountAddress(account, { network, backend }), masterSecret };
}

/** Options of {@link devAddress}. */
export interface DevAddressOptions {
  /** The subaddress with this place; the main address when absent. */
  readonly at?: SubaddressIndex;
  /** 8 bytes, which make an integrated address of the main address. */
  readonly paymentId?: Uint8Array;
}

const ADDRESS: OptionTable<DevAddressOptions> = { at: OPTIONAL, paymentId: OPTIONAL };

/**
 * Returns another address of an account: a subaddress, or an integrated address. Throws RangeError for a place that there is not or a
 * payment id that does not have 8 bytes, and OptionError for an unknown option.
 */
export function devAddress(
  account: DevAccount | DevCarrotAccount,
  options: DevAddressOptions,
): string {
  checkOptions('devAddress', options, ADDRESS);
  const { network } = parseAddress(account.address);
  const backend = createBackend();
  return accountAddress(spendingAccount(account, backend), { ...options, network, backend });
}

/** Returns all keys of an account. */
export function spendingAccount(
  account: DevAccount | DevCarrotAccount,
  backend: CryptoBackend,
): Account | CarrotAccount {
  return 'masterSecret' in account
    ? carrotAccountFromMasterSecret(account.masterSecret, backend)
    : accountFromSecrets(account);
}
