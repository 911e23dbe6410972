import { DecodeError } from '../errors.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import { formatAddress, parseAddress } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

const keys = { spendKey: new Uint8Array(32).fill(200), viewKey: new Uint8Array(32).fill(3) };
export const seeds = (['mainnet', 'testnet', 'stagenet'] as const)
  .flatMap((network) => [
    formatAddress({ network, kind: 'standard', ...keys }),
    formatAddress({ network, kind: 'subaddress', ...keys }),
    formatAddress({ network, kind: 'integrated', paymentId: new Uint8Array(8), ...keys }),
  ])
  .map((address) => new TextEncoder().encode(address));
export const tokens = [
  'zzzzzzzzzzz',
  encodeBase58(new Uint8Array(8).fill(255)),
  '11111111111',
  '5R',
];

/** Runs a decoder, which may refuse with DecodeError only, and compares what it is encoded to with the text. */
function roundTrip(text: string, decodeAndEncode: (text: string) => string): void {
  const again = unlessRefused(() => decodeAndEncode(text), DecodeError);
  if (again !== undefined && again !== text) throw new Error('the encoded text differs');
}

/** Text that is accepted, as an address or as base58, is the only text of what it stands for. */
export function fuzz(input: Uint8Array): void {
  const text = Buffer.from(input).toString('latin1');
  roundTrip(text, (address) => formatAddress(parseAddress(address)));
  roundTrip(text, (base58) => encodeBase58(decodeBase58(base58)));
}
