import { type Address, type AddressNetwork, DecodeError, parseAddress } from '@monero-node/codec';
import { areAddressKeys } from '@monero-node/crypto';

/**
 * Returns an address that a chain can pay. Throws RangeError for text that is no address, for an address of another network, and for one
 * whose keys are no points; the message has the text.
 *
 * @param own whose addresses the chain has
 */
export function networkAddress(text: string, own: AddressNetwork): Address {
  const address = parsed(text);
  const { network, spendKey, viewKey } = address;
  if (network !== own)
    throw new RangeError(`${text} is of ${network}, and this chain pays those of ${own}`);
  if (!areAddressKeys({ spendKey, viewKey }))
    throw new RangeError(`${text} is not an address: its keys are no points`);
  return address;
}

function parsed(text: string): Address {
  try {
    return parseAddress(text);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw new RangeError(cause.reason, { cause });
  }
}
