import { walletAddress, walletCommand } from './wallet-address.ts';

test.each([
  ['http://node.example:18089/', 'http://node.example:18089', 'node.example:18089'],
  ['https://node.example/', 'https://node.example:443', 'node.example:443'],
  ['http://node.example/', 'http://node.example:80', 'node.example:80'],
  ['http://[2001:db8::1]:18089/', 'http://[2001:db8::1]:18089', '[2001:db8::1]:18089'],
])('the name that the visitor used: %s', (page, url, address) => {
  const found = walletAddress(new URL(page));
  expect(found.url).toBe(url);
  expect(walletCommand(found)).toBe(
    `monero-wallet-cli --daemon-address ${address} --untrusted-daemon`,
  );
});

test('a hidden service needs the proxy of Tor', () => {
  const found = walletAddress(new URL('http://abc.onion:18089/'));
  expect(found).toMatchObject({ isOnion: true, isEncrypted: false });
  expect(walletCommand(found)).toContain('--proxy 127.0.0.1:9050');
});
