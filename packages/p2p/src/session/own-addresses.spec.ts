import type { NetAddress } from '../net/address.ts';
import { ipAddress } from '../net/parse-address.ts';
import { OwnAddresses } from './own-addresses.ts';

const at = (host: string, port = 18080): NetAddress => ipAddress(host, port) as NetAddress;
const entry = (address: NetAddress) => ({
  address,
  id: 7n,
  lastSeen: 0,
  pruningSeed: 0,
  rpcPort: 0,
  rpcCreditsPerHash: 0,
});

test('an address counts once two hosts have told it', () => {
  const own = new OwnAddresses();
  own.heard([entry(at('203.0.113.5'))], at('9.0.0.1', 1));
  own.heard([entry(at('203.0.113.5'))], at('9.0.0.1', 2));
  // One /64 is one host.
  own.heard([entry(at('2001:db8::5'))], at('2001:db8:1::1'));
  own.heard([entry(at('2001:db8::5'))], at('2001:db8:1::2'));
  expect(own.list()).toEqual([]);
  own.heard([entry(at('203.0.113.5')), entry(at('198.51.100.1'))], at('9.0.0.2'));
  expect(own.list()).toEqual([{ address: '203.0.113.5:18080', hosts: 2 }]);
  for (const host of ['9.0.0.1', '9.0.0.2', '9.0.0.3'])
    own.heard([entry(at('198.51.100.1'))], at(host));
  expect(own.list()).toEqual([
    { address: '198.51.100.1:18080', hosts: 3 },
    { address: '203.0.113.5:18080', hosts: 2 },
  ]);
});

test('liars fill no memory', () => {
  const own = new OwnAddresses();
  for (let i = 0; i < 100; i++) {
    const told = Array.from({ length: 250 }, (_, n) => entry(at(`1.${i}.${n}.1`)));
    own.heard(told, at('9.0.0.1'));
    own.heard(told, at('9.0.0.2'));
    own.heard([entry(at('203.0.113.5'))], at(`8.0.0.${i}`));
  }
  expect(own.list().length).toBeLessThanOrEqual(16);
  expect(own.list()[0]).toMatchObject({ hosts: 2 });
});
