import { formatAddress, parseAddress, type AddressNetwork } from '@monero-node/codec/address';
import { DecodeError } from '@monero-node/codec/errors';
import type { Network } from '@monero-node/consensus';
import { areAddressKeys, type AddressKeys } from '@monero-node/crypto/curve';

/** Returns the network of the addresses of a chain: a regtest chain uses mainnet's. */
export function addressNetwork({ name }: Pick<Network, 'name'>): AddressNetwork {
  return name === 'regtest' ? 'mainnet' : name;
}

/**
 * Returns the keys that an address pays; undefined for an address of another network or malformed text. The payment
 * id of an integrated address is dropped, as monerod drops it. Source: get_account_address_from_str in
 * src/cryptonote_basic/cryptonote_basic_impl.cpp.
 */
export function minerAddress(
  text: string,
  network: Network,
): (AddressKeys & { readonly isSubaddress: boolean }) | undefined {
  try {
    const { spendKey, viewKey, kind, network: own } = parseAddress(text);
    if (own !== addressNetwork(network)) return undefined;
    if (!areAddressKeys({ spendKey, viewKey })) return undefined;
    return { spendKey, viewKey, isSubaddress: kind === 'subaddress' };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** The standard address of these keys. */
export function standardAddress({ spendKey, viewKey }: AddressKeys, network: Network): string {
  return formatAddress({ network: addressNetwork(network), kind: 'standard', spendKey, viewKey });
}
