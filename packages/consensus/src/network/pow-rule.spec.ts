import { NETWORKS, withOverrides } from './networks.ts';
import { isRandomxAlgorithm, powRuleOf } from './pow-rule.ts';
import type { HardFork } from './types.ts';

const GENESIS: HardFork = { version: 1, height: 0, time: 0 };
const privateChain = (...forks: HardFork[]) =>
  withOverrides(NETWORKS.regtest, { hardForks: [GENESIS, ...forks] });
const fork = (version: number, more: Partial<HardFork> = {}): HardFork => ({
  version,
  height: version,
  time: 0,
  ...more,
});
const V1 = { algorithm: 'randomx', commitment: false };
const V2 = { algorithm: 'randomx-v2', commitment: true };

test('no public network has version 2 or a commitment, at any version', () => {
  for (const network of Object.values(NETWORKS)) {
    for (const version of [12, 16, 17, 18]) expect(powRuleOf(network, version)).toEqual(V1);
    expect(powRuleOf(network, 1)).toEqual({ algorithm: 'cryptonight-0', commitment: false });
    expect(powRuleOf(network, 11)).toEqual({ algorithm: 'cryptonight-r', commitment: false });
    expect(() => powRuleOf(network, 19)).toThrow(RangeError);
  }
});

test('what a fork names holds for its version and for later ones, until another names one', () => {
  const chain = privateChain(fork(14), fork(17, { powAlgorithm: 'randomx-v2' }), fork(18));
  expect([1, 14, 16, 17, 18].map((version) => powRuleOf(chain, version))).toEqual([
    { algorithm: 'cryptonight-0', commitment: false },
    ...[V1, V1, V2, V2],
  ]);
  const back = privateChain(
    fork(12, { powAlgorithm: 'randomx-v2' }),
    fork(16, { powAlgorithm: 'randomx' }),
  );
  expect([11, 12, 15, 16, 18].map((version) => powRuleOf(back, version).algorithm)).toEqual([
    'cryptonight-r',
    ...['randomx-v2', 'randomx-v2', 'randomx', 'randomx'],
  ]);
});

test('old versions may have RandomX too', () => {
  const chain = privateChain(fork(2, { powAlgorithm: 'randomx' }), fork(9));
  expect([1, 2, 9, 16].map((version) => powRuleOf(chain, version).algorithm)).toEqual([
    'cryptonight-0',
    ...['randomx', 'randomx', 'randomx'],
  ]);
});

test('algorithm and commitment can be apart', () => {
  const chain = privateChain(
    fork(15, { powAlgorithm: 'randomx', powCommitment: true }),
    fork(16, { powAlgorithm: 'randomx-v2', powCommitment: false }),
    fork(17, { powAlgorithm: 'randomx-v2' }),
  );
  expect([15, 16, 17].map((version) => powRuleOf(chain, version))).toEqual([
    { algorithm: 'randomx', commitment: true },
    { algorithm: 'randomx-v2', commitment: false },
    V2,
  ]);
});

test.each<[string, HardFork, string]>([
  [
    'an unknown algorithm',
    fork(17, { powAlgorithm: 'rx/2' as 'randomx' }),
    '"powAlgorithm" is one of randomx, randomx-v2',
  ],
  ['a commitment alone', fork(17, { powCommitment: true }), 'beside "powAlgorithm" only'],
])('forks are refused: %s', (_what, bad, message) => {
  expect(() => privateChain(bad)).toThrow(RangeError);
  expect(() => privateChain(bad)).toThrow(message);
});

test('the algorithms with seeds are the versions of RandomX', () => {
  const all = [1, 7, 8, 10, 12].map((version) => powRuleOf(NETWORKS.mainnet, version).algorithm);
  expect(all.map(isRandomxAlgorithm)).toEqual([false, false, false, false, true]);
  expect(isRandomxAlgorithm('randomx-v2')).toBe(true);
});
