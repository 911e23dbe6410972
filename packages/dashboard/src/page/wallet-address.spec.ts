import { walletAddresses, walletCommand } from './wallet-address.ts';

const ONION = { host: 'abc.onion', port: 18_089, isEncrypted: false };
const I2P = { host: 'abc.b32.i2p', port: 18_089, isEncrypted: true };

test.each([
  ['http://node.example:18089/', 'http://node.example:18089', 'node.example:18089'],
  ['https://node.example/', 'https://node.example:443', 'node.example:443'],
  ['http://node.example/', 'http://node.example:80', 'node.example:80'],
  ['http://[2001:db8::1]:18089/', 'http://[2001:db8::1]:18089', '[2001:db8::1]:18089'],
])('the name that the visitor used: %s', (page, url, address) => {
  const [found, ...others] = walletAddresses(new URL(page), []);
  expect(others).toEqual([]);
  expect(found?.url).toBe(url);
  expect(found && walletCommand(found)).toBe(
    `monero-wallet-cli --daemon-address ${address} --untrusted-daemon`,
  );
});

test('hidden services come after it, each with the proxy of its network', () => {
  const found = walletAddresses(new URL('https://node.example/'), [ONION, I2P]);
  expect(found.map(({ url, through, isEncrypted }) => [url, through, isEncrypted])).toEqual([
    ['https://node.example:443', undefined, true],
    ['http://abc.onion:18089', 'Tor', false],
    ['https://abc.b32.i2p:18089', 'I2P', true],
  ]);
  expect(found.slice(1).map(walletCommand)).toEqual([
    'monero-wallet-cli --daemon-address abc.onion:18089 --untrusted-daemon --proxy 127.0.0.1:9050',
    'monero-wallet-cli --daemon-address abc.b32.i2p:18089 --untrusted-daemon --proxy 127.0.0.1:4447',
  ]);
});

test('a visitor who came through a hidden service sees it once', () => {
  const found = walletAddresses(new URL('http://abc.onion:18089/'), [ONION]);
  expect(found.map(({ url, through }) => [url, through])).toEqual([
    ['http://abc.onion:18089', 'Tor'],
  ]);
  const other = walletAddresses(new URL('http://abc.onion/'), [ONION]);
  expect(other.map(({ url }) => url)).toEqual(['http://abc.onion:80', 'http://abc.onion:18089']);
});
