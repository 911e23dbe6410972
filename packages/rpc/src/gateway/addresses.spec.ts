import { hostOf } from './addresses.ts';

test.each([
  ['8.8.8.8', '8.8.8.8'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, host) => {
  expect(hostOf(address)).toBe(host);
});
