import { fromHex, parseBlock, toHex, type ParsedBlock } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { MachineError } from '@monero-node/base';
import { PowUnavailableError, type PowHasher } from '@monero-node/pow';
import { newCounters } from './counters.ts';
import { needsHash, powHashOf, powSource, verifyPow, verifyPowBatch } from './verify-pow.ts';

const MAINNET_202612_HASHING_BLOB =
  '01009ad29fa0055da0a3d004c352a90cc86b00fab676695d76a4d1de16036c41ba4dd188c4d76f46090040f353c96de74c53f87389b66fa625ed1f8676beeb5d47b4f0193bd16b584933be8204';

const { mainnet } = NETWORKS;
const genesis = parseBlock(mainnet.genesisBlob);
const seedOf = (height: number) => new Uint8Array(32).fill(height % 251);
const ofVersion = (majorVersion: number, hashingBlob = genesis.hashingBlob): ParsedBlock => ({
  ...genesis,
  block: { ...genesis.block, majorVersion },
  hashingBlob,
});
const neverAsked: PowHasher = {
  name: 'never asked',
  hash: () => Promise.reject(new Error('nothing is to be hashed')),
  close: () => Promise.resolve(),
};

test.each([
  ...[1, 2, 3, 4, 5, 6].map((version) => [version, 0]),
  [7, 1],
  [8, 2],
  [9, 2],
  [10, 4],
  [11, 4],
])('version %i is CryptoNight of variant %i, at the height of the block', (version, variant) => {
  expect(powSource(mainnet, ofVersion(version as number), 777, seedOf)).toEqual({
    kind: 'cryptonight',
    variant,
    height: 777,
    blob: genesis.hashingBlob,
  });
});

test.each([12, 13, 14, 15, 16])(
  'version %i uses RandomX with the seed of its height',
  (version) => {
    const seedAt = (height: number) => {
      const source = powSource(mainnet, ofVersion(version), height, seedOf);
      return source.kind === 'randomx' ? toHex(source.seedHash) : source.kind;
    };
    expect(seedAt(2112)).toBe(toHex(seedOf(0)));
    expect(seedAt(2113)).toBe(toHex(seedOf(2048)));
  },
);

test('a fork of the network may name version 2 of RandomX, and the commitment or not', () => {
  const hardForks = [
    { version: 1, height: 0, time: 0 },
    { version: 14, height: 1, time: 0, powAlgorithm: 'randomx-v2', powCommitment: false },
    { version: 16, height: 2, time: 0, powAlgorithm: 'randomx-v2' },
  ] as const;
  const network = withOverrides(NETWORKS.regtest, { hardForks });
  const sourceOf = (version: number) => powSource(network, ofVersion(version), 5000, seedOf);
  const request = { seedHash: seedOf(4096), blob: genesis.hashingBlob };
  expect(sourceOf(13)).toEqual({ kind: 'randomx', commitment: false, ...request });
  expect(sourceOf(14)).toEqual({ kind: 'randomx-v2', commitment: false, ...request });
  expect(sourceOf(17)).toEqual({ kind: 'randomx-v2', commitment: true, ...request });
  expect(sourceOf(11).kind).toBe('cryptonight');
  expect(() => powSource(network, ofVersion(17), 5000, () => undefined)).toThrow('no seed block');
});

describe('block 202612', () => {
  const block = ofVersion(1, fromHex(MAINNET_202612_HASHING_BLOB));
  const HASH = '84f64766475d51837ac9efbef1926486e58563c95a19fef4aec3254f03000000';

  test('has a fixed hash that replaces the computed one', async () => {
    const source = powSource(mainnet, block, 202_612, seedOf);
    expect(toHex(await powHashOf(neverAsked, source))).toBe(HASH);
    const judge = (difficulty: bigint) =>
      verifyPow(neverAsked, { height: 202_612, difficulty, source });
    await expect(judge(1_297_898_660n)).resolves.toBeUndefined();
    await expect(judge(1_297_898_661n)).rejects.toMatchObject({ code: 'bad-proof-of-work' });
  });

  test('has it at no other height, and no other block does', () => {
    expect(powSource(mainnet, block, 202_611, seedOf).kind).toBe('cryptonight');
    expect(powSource(mainnet, ofVersion(1), 202_612, seedOf).kind).toBe('cryptonight');
  });
});

describe('a hash that does not meet the difficulty', () => {
  const BAD = new Uint8Array(32).fill(0xff);
  const GOOD = new Uint8Array(32);
  const statement = {
    height: 5,
    difficulty: 2n,
    source: powSource(mainnet, ofVersion(1), 5, seedOf),
  };

  /** A hasher whose hashes are all bad, and whose confirmations return these hashes in turn. */
  function confirming(...confirmed: (Uint8Array | Error)[]): PowHasher & { asked: number } {
    const pow = {
      name: 'confirming',
      asked: 0,
      hash: () => Promise.resolve(BAD),
      confirm: async () => {
        const answer = confirmed[pow.asked++];
        if (answer instanceof Error) throw answer;
        return answer as Uint8Array;
      },
      close: () => Promise.resolve(),
    };
    return pow;
  }

  test('counts only when another computation confirms it', async () => {
    await expect(verifyPow(confirming(GOOD), statement)).resolves.toBeUndefined();
    await expect(verifyPow(confirming(BAD), statement)).rejects.toMatchObject({
      code: 'bad-proof-of-work',
    });
  });

  test.each(['too-many-refusals', 'unconfirmed'] as const)(
    'is refused, but not as bad, when nobody confirms it: %s',
    async (code) => {
      const unable = new PowUnavailableError(code, 'no answer');
      const failure = { code: 'unconfirmed-proof-of-work' };
      await expect(verifyPow(confirming(unable), statement)).rejects.toMatchObject(failure);
      const batch = verifyPowBatch(
        confirming(GOOD, unable),
        Array(3).fill(statement),
        newCounters(),
      );
      await expect(batch).resolves.toMatchObject({ block: 1, error: failure });
    },
  );

  test('is the fault of nobody when the engines disagree', async () => {
    const unknown = new PowUnavailableError('disagreement', 'all differ');
    const batch = verifyPowBatch(confirming(unknown), [statement], newCounters());
    await expect(batch).rejects.toBe(unknown);
    await expect(batch).rejects.toBeInstanceOf(MachineError);
  });

  test('costs one confirmation for a whole batch of bad blocks', async () => {
    const pow = confirming(GOOD, BAD);
    const counters = newCounters();
    const failure = await verifyPowBatch(pow, Array(50).fill(statement), counters);
    expect(failure).toMatchObject({ block: 1, error: { code: 'bad-proof-of-work' } });
    expect([pow.asked, counters.pow]).toEqual([2, 1]);
  });
});

test.each([
  [{}, 1n, true],
  [{ skipEasiestWork: true }, 1n, false],
  [{ skipEasiestWork: true }, 2n, true],
  // No hash meets difficulty 0.
  [{ skipEasiestWork: true }, 0n, true],
  [{ skipEasiestWork: false }, 1n, true],
])('with %j difficulty %d takes a hash: %s', (options, difficulty, expected) => {
  expect(needsHash(options, difficulty)).toBe(expected);
});
