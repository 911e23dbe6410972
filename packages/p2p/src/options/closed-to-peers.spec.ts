import { closedToPeers, type ClosingOptions } from './closed-to-peers.ts';
import { DEFAULT_P2P_OPTIONS } from './options.ts';

const by = (changes: Partial<ClosingOptions>, name = 'mainnet'): string | undefined =>
  closedToPeers({ ...DEFAULT_P2P_OPTIONS, ...changes }, { name: name as 'mainnet' });

test('a node is open unless an option closes it', () => {
  expect(by({})).toBeUndefined();
  expect(by({ bindIp: '192.0.2.1', inPeers: -1 })).toBeUndefined();
  expect(by({ offline: true })).toBe('--offline');
  expect(by({}, 'regtest')).toBe('--regtest');
  expect(by({ proxy: { host: '127.0.0.1', port: 9050, version: '5' } })).toBe('--proxy');
  expect(by({ hideMyPort: true })).toBe('--hide-my-port');
  expect(by({ bindIp: '127.0.0.1' })).toBe('--p2p-bind-ip 127.0.0.1');
  expect(by({ inPeers: 0 })).toBe('--in-peers 0');
});
