import { NETWORKS } from '@monero-node/consensus';
import { chainSpaceWarning, type ChainSpace } from './chain-space.ts';

const YEAR = 365 * 24 * 3600;
/** A first start. */
const FIRST: ChainSpace = {
  network: NETWORKS.mainnet,
  dataDir: '/data',
  isPruned: false,
  downloads: true,
  storedBytes: 1e6,
  topTime: 12 * YEAR,
  now: 56 * YEAR,
  freeBytes: 68e9,
};
const warning = (changes: Partial<ChainSpace> = {}) => chainSpaceWarning({ ...FIRST, ...changes });

test('a first start on a disk that is too small says what is needed', () => {
  expect(warning()).toBe(
    'The disk of /data is too small: 68 GB are free, and the chain of mainnet takes about 220 GB, or 110 GB with --prune-blockchain. The node stops when the disk is full.',
  );
  expect(warning({ isPruned: true })).toContain('pruned, the chain of mainnet takes about 110 GB.');
});

test('nothing is said of chains whose size nobody has measured', () => {
  expect(warning({ network: NETWORKS.mainnet, freeBytes: 5e9 })).toBeDefined();
  expect(warning({ network: NETWORKS.stagenet, freeBytes: 5e9 })).toBeUndefined();
  expect(warning({ network: NETWORKS.testnet, freeBytes: 5e9 })).toBeUndefined();
});

test('what is stored already counts', () => {
  expect(warning({ storedBytes: 100e9 })).toContain(', of which 100 GB are stored.');
  expect(warning({ storedBytes: 152e9 })).toBeUndefined();
});

test.each<[string, Partial<ChainSpace>]>([
  ['there is enough', { freeBytes: 220e9 }],
  ['there is enough for a pruned chain', { freeBytes: 111e9, isPruned: true }],
  ['the chain is nearly complete', { topTime: FIRST.now - 3600 }],
  ['no block is downloaded', { downloads: false }],
  ['the system does not say what is free', { freeBytes: undefined }],
  ['the chain is a private one', { network: NETWORKS.regtest }],
])('nothing is said when %s', (_, changes) => {
  expect(warning(changes)).toBeUndefined();
});
