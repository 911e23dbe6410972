import { formatAddress } from '@monero-node/codec';
import { devAccount } from './accounts.ts';
import { networkAddress } from './network-address.ts';

test('returns an address of the network', () => {
  expect(networkAddress(devAccount(1, 'testnet').address, 'testnet').kind).toBe('standard');
});

test('a wrong address is named, with what is wrong', () => {
  const { address } = devAccount(1, 'stagenet');
  expect(() => networkAddress(address, 'mainnet')).toThrow(
    new RangeError(`${address} is of stagenet, and this chain pays those of mainnet`),
  );
  expect(() => networkAddress('nobody', 'mainnet')).toThrow(RangeError);
  expect(() => networkAddress('nobody', 'mainnet')).toThrow('"nobody" is not an address: ');
  const [spendKey, viewKey] = [2, 3].map((byte) => new Uint8Array(32).fill(byte));
  const text = formatAddress({
    ...{ network: 'mainnet', kind: 'standard' },
    spendKey: spendKey ?? new Uint8Array(),
    viewKey: viewKey ?? new Uint8Array(),
  });
  expect(() => networkAddress(text, 'mainnet')).toThrow(
    `${text} is not an address: its keys are no points`,
  );
});
