import { parseBlock, toHex } from '@monero-node/codec';
import { codeOf } from '../testing/transactions.ts';
import { checkAlternativeHeight, checkCheckpoint, isCheckpoint } from '../block/checkpoints.ts';
import { earliestHeightOf, newestVersion, versionAtHeight } from './hard-forks.ts';
import { type NetworkOverrides, NETWORKS, withOverrides } from './networks.ts';
import type { NetworkName } from './types.ts';

/** Start heights of forks 2 to 16, as published. */
const FORKS: Record<'mainnet' | 'testnet' | 'stagenet', number[]> = {
  mainnet: [
    1009827, 1141317, 1220516, 1288616, 1400000, 1546000, 1685555, 1686275, 1788000, 1788720,
    1978433, 2210000, 2210720, 2688888, 2689608,
  ],
  testnet: [
    624634, 800500, 801219, 802660, 971400, 1057027, 1057058, 1057778, 1154318, 1155038, 1308737,
    1543939, 1544659, 1982800, 1983520,
  ],
  stagenet: [
    32000, 33000, 34000, 35000, 36000, 37000, 176456, 177176, 269000, 269720, 454721, 675405,
    676125, 1151000, 1151720,
  ],
};

test.each(Object.values(NETWORKS))('$name cannot be changed', (network) => {
  expect(() => Object.assign(NETWORKS, { mainnet: network })).toThrow(TypeError);
  expect(() => Object.assign(network, { fixedDifficulty: 1n })).toThrow(TypeError);
  expect(() => Object.assign(network.ports, { p2p: 1 })).toThrow(TypeError);
  expect(() => Object.assign(network.hardForks[0] ?? {}, { height: 1 })).toThrow(TypeError);
  expect(Object.isFrozen(network.checkpoints)).toBe(true);
});

describe('hard forks', () => {
  test.each(Object.entries(FORKS))('%s: starts every fork at its height', (name, heights) => {
    const network = NETWORKS[name as NetworkName];
    expect(versionAtHeight(network, 0)).toBe(1);
    expect(versionAtHeight(network, 1)).toBe(1);
    heights.forEach((height, i) => {
      expect(versionAtHeight(network, height - 1)).toBe(i + 1);
      expect(versionAtHeight(network, height)).toBe(i + 2);
      expect(earliestHeightOf(network, i + 2)).toBe(height);
    });
    expect(versionAtHeight(network, 10_000_000)).toBe(16);
    expect(earliestHeightOf(network, 17)).toBeUndefined();
    expect(newestVersion(network)).toBe(16);
  });

  test('regtest: is at fork 16 from block 1 on', () => {
    expect(versionAtHeight(NETWORKS.regtest, 0)).toBe(1);
    expect(versionAtHeight(NETWORKS.regtest, 1)).toBe(16);
    expect(earliestHeightOf(NETWORKS.regtest, 10)).toBe(1);
  });

  test('records the times of the first, a middle and the last fork', () => {
    const time = (name: NetworkName, version: number) =>
      NETWORKS[name].hardForks.find((fork) => fork.version === version)?.time;
    expect(time('mainnet', 1)).toBe(1341378000);
    expect(time('mainnet', 8)).toBe(1535889547);
    expect(time('mainnet', 16)).toBe(1656629118);
    expect(time('testnet', 7)).toBe(1512211236);
    expect(time('testnet', 16)).toBe(1652813400);
    expect(time('stagenet', 7)).toBe(1521600000);
    expect(time('stagenet', 12)).toBe(1571419280);
  });
});

describe('genesis', () => {
  test.each([
    ['mainnet', '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3', 'c88ce978'],
    ['testnet', '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b', 'c88ce978'],
    ['stagenet', '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb', 'c0998093'],
    ['regtest', '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3', 'c88ce978'],
  ] as const)('%s: hashes to the published id', (name, id, minerTxId) => {
    const genesis = parseBlock(NETWORKS[name].genesisBlob);
    expect(toHex(genesis.id)).toBe(id);
    expect(toHex(NETWORKS[name].genesisId)).toBe(id);
    expect(toHex(genesis.minerTx.id).slice(0, 8)).toBe(minerTxId);
    expect(genesis.block.minerTx.outputs[0]?.amount).toBe(17592186044415n);
  });
});

describe('identity', () => {
  test.each([
    ['mainnet', 'mainnet', '10', [18080, 18081, 18082], [18n, 19n, 42n], ''],
    ['testnet', 'testnet', '11', [28080, 28081, 28082], [53n, 54n, 63n], 'testnet'],
    ['stagenet', 'stagenet', '12', [38080, 38081, 38082], [24n, 25n, 36n], 'stagenet'],
    ['regtest', 'fakechain', '10', [18080, 18081, 18082], [18n, 19n, 42n], 'fake'],
  ] as const)(
    '%s: has its ports, address prefixes and network id',
    (name, nettype, lastByte, ports, prefixes, suffix) => {
      const network = NETWORKS[name];
      expect(network.name).toBe(name);
      expect(network.nettype).toBe(nettype);
      expect(toHex(network.networkId)).toBe(`1230f171610441611731008216a1a1${lastByte}`);
      expect(Object.values(network.ports)).toEqual(ports);
      expect(Object.values(network.addressPrefixes)).toEqual(prefixes);
      expect(network.dataDirSuffix).toBe(suffix);
    },
  );

  test('has seeds and checkpoints for public networks only, DNS seeds for mainnet only', () => {
    const { mainnet, testnet, stagenet, regtest } = NETWORKS;
    expect(mainnet.seedNodes).toHaveLength(6);
    expect(testnet.seedNodes.every((seed) => seed.endsWith(':28080'))).toBe(true);
    expect(stagenet.seedNodes.every((seed) => seed.endsWith(':38080'))).toBe(true);
    expect(regtest.seedNodes).toEqual([]);
    expect(regtest.checkpoints).toEqual([]);
    expect([testnet, stagenet, regtest].flatMap((network) => network.seedHosts)).toEqual([]);
  });
});

describe('overrides', () => {
  test('changes difficulty and forks in a copy', () => {
    const hardForks = [
      { version: 1, height: 0, time: 0 },
      { version: 16, height: 5, time: 0 },
    ];
    const changed = withOverrides(NETWORKS.testnet, { fixedDifficulty: 7n, hardForks });
    expect(changed.fixedDifficulty).toBe(7n);
    expect(versionAtHeight(changed, 4)).toBe(1);
    expect(versionAtHeight(changed, 5)).toBe(16);
    expect(NETWORKS.testnet.fixedDifficulty).toBeUndefined();
  });

  test('keeps the normal rule for difficulty 0', () => {
    expect(withOverrides(NETWORKS.regtest, { fixedDifficulty: 0n }).fixedDifficulty).toBe(
      undefined,
    );
  });

  test('rejects an empty list of forks, and one that does not ascend', () => {
    const fork = { version: 2, height: 2, time: 0 };
    expect(() => withOverrides(NETWORKS.regtest, { hardForks: [] })).toThrow(RangeError);
    expect(() => withOverrides(NETWORKS.regtest, { hardForks: [fork, fork] })).toThrow(RangeError);
  });
});

describe('checkpoints', () => {
  const { mainnet, testnet } = NETWORKS;
  const at = (height: number) => mainnet.checkpoints.find((point) => point.height === height);

  test.each([
    ['mainnet', 64, 3_774_800],
    ['testnet', 3, 1_450_000],
    ['stagenet', 2, 550_000],
  ] as const)('of %s are those of 0.18.5.3, in order', (name, count, newest) => {
    const { checkpoints } = NETWORKS[name];
    expect(checkpoints).toHaveLength(count);
    expect(checkpoints.at(-1)?.height).toBe(newest);
    checkpoints.slice(1).forEach((point, i) => {
      const below = checkpoints[i];
      expect(point.height).toBeGreaterThan(below?.height ?? Infinity);
      expect(point.cumulativeDifficulty > (below?.cumulativeDifficulty ?? 0n)).toBe(true);
      expect(point.id).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  test('have the ids and cumulative difficulties of upstream', () => {
    expect(at(202612)?.id).toMatch(/^bbd604d2ba11/);
    expect(at(3774800)?.id).toMatch(/^0f4c4c1ca33c/);
    expect(at(3774800)?.cumulativeDifficulty).toBe(0x9bb1dcfc99f355cn);
    expect(testnet.checkpoints.at(-1)?.cumulativeDifficulty).toBe(0xa639e2930en);
    expect(NETWORKS.stagenet.checkpoints[0]?.id).toMatch(/^1f8b0ce313f8/);
  });

  test('rejects any other block at the height of a checkpoint', () => {
    const id = Uint8Array.from(Buffer.from(at(1)?.id ?? '', 'hex'));
    const other = id.map((byte) => byte ^ 1);
    expect(codeOf(() => checkCheckpoint(mainnet, 1, id))).toBeUndefined();
    expect(codeOf(() => checkCheckpoint(mainnet, 1, other))).toBe('checkpoint-mismatch');
    expect(codeOf(() => checkCheckpoint(mainnet, 2, other))).toBeUndefined();
    expect(codeOf(() => checkCheckpoint(testnet, 1, other))).toBeUndefined();
    expect(isCheckpoint(mainnet, 1, id)).toBe(true);
    expect(isCheckpoint(mainnet, 1, other)).toBe(false);
    expect(isCheckpoint(mainnet, 2, id)).toBe(false);
  });

  test('rejects alternative blocks at or below the newest checkpoint reached', () => {
    const alternative = (height: number, chainHeight: number, network = mainnet) =>
      codeOf(() => checkAlternativeHeight(network, height, chainHeight));
    expect(alternative(0, 1)).toBe('below-checkpoint');
    expect(alternative(0, 1, testnet)).toBe('below-checkpoint');
    expect(alternative(5, 50)).toBe('below-checkpoint');
    expect(alternative(10, 50)).toBe('below-checkpoint');
    expect(alternative(11, 50)).toBeUndefined();
    expect(alternative(10, 9)).toBeUndefined();
    expect(alternative(10, 10)).toBe('below-checkpoint');
    expect(alternative(1, 5_000, testnet)).toBeUndefined();
  });
});

test('parts of a network that cannot be changed are refused', () => {
  const overrides = { difficulty: 1n } as NetworkOverrides;
  expect(() => withOverrides(NETWORKS.regtest, overrides)).toThrow(
    'withOverrides: no option "difficulty"; there are fixedDifficulty, hardForks',
  );
});
