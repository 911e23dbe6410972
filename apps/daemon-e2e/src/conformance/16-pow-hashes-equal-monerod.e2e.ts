import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPowHasher, cryptonightVariant, type PowHasher } from '@monero-node/pow';
import { hex } from '../chain/bytes.ts';
import { Comparison } from '../harness/comparison.ts';
import type { JsonObject } from '../harness/json.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';

/** Number of blobs for each major version. POW_BLOBS overrides it. */
const BLOBS = Number(process.env['POW_BLOBS'] ?? '20');

/** First and last major version of each algorithm that monerod knows. */
const VERSIONS = [1, 6, 7, 8, 9, 10, 11, 12, 16];

/** Heights where CryptoNight-R began and ended on mainnet, and where varints become longer. */
const HEIGHTS = [
  ...[0, 1, 2, 255, 256, 65_535, 65_536],
  ...[1_787_999, 1_788_000, 1_788_001, 1_978_432, 1_978_433, 2 ** 31, 2 ** 32 - 1, 2 ** 32],
  ...[Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER],
];
/** Heights on both sides of changes of the RandomX seed. */
const SEED_HEIGHTS = [0, 1, 2047, 2048, 2049, 2111, 2112];

/** Returns bytes that look random and are the same in every run. */
function noise(name: string, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; 32 * i < length; i++) {
    parts.push(createHash('sha256').update(`${name} ${i}`).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Returns blob lengths: those of real hashing blobs first, then those around the block size of Keccak. */
const LENGTHS = [76, 77, 78, 76, 43, 44, 64, 127, 128, 135, 136, 137, 200, 271, 272, 273, 1000];

interface Case {
  readonly major: number;
  readonly height: number;
  readonly blob: Buffer;
  readonly seed: Buffer;
}

function casesOf(major: number): Case[] {
  return Array.from({ length: BLOBS }, (_, i) => {
    const heights = cryptonightVariant(major) === undefined ? SEED_HEIGHTS : HEIGHTS;
    return {
      major,
      height: heights[i % heights.length] ?? i,
      blob: noise(`blob ${major} ${i}`, LENGTHS[i % LENGTHS.length] ?? 76),
      // Three seeds in turn, so that caches are replaced; monerod keeps only one.
      seed: noise(`seed ${Math.floor((3 * i) / BLOBS)}`, 32),
    };
  });
}

describeWithMonero(
  "our proof-of-work hashes equal monerod's",
  () => {
    let monerod: RunningNode;
    let hasher: PowHasher;

    beforeAll(async () => {
      // monerod's compiler for CryptoNight-R aborts the process on some machines.
      process.env['MONERO_USE_CNV4_JIT'] = '0';
      monerod = await startMonerod({ offline: true });
      hasher = createPowHasher();
    });
    afterAll(async () => {
      await hasher.close();
      await monerod.stop();
    });

    const params = ({ major, height, blob, seed }: Case): JsonObject => ({
      major_version: major,
      height,
      block_blob: hex(blob),
      seed_hash: hex(seed),
    });

    async function theirHash(each: Case): Promise<string> {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: '0',
        method: 'calc_pow',
        params: params(each),
      });
      const answer = await monerod.rpc.post('/json_rpc', body, 'application/json');
      const { result } = JSON.parse(answer.body.toString()) as { result: string };
      return result;
    }

    function ourHash({ major, height, blob, seed }: Case): Promise<Uint8Array> {
      const variant = cryptonightVariant(major);
      return hasher.hash(
        variant === undefined
          ? { kind: 'randomx', seedHash: seed, blob }
          : { kind: 'cryptonight', variant, height, blob },
      );
    }

    test.each(VERSIONS)('major version %i', async (major) => {
      const cases = casesOf(major);
      const ours = await Promise.all(cases.map(ourHash));
      const theirs: string[] = [];
      for (const each of cases) theirs.push(await theirHash(each));
      expect(ours.map((hash) => hex(Buffer.from(hash)))).toEqual(theirs);
      expect(new Set(theirs).size).toBe(cases.length);
    });

    describe('calc_pow of our daemon', () => {
      let ours: RunningNode;
      beforeAll(async () => {
        ours = await startOurDaemon({ offline: true });
      });
      afterAll(() => ours.stop());

      test('returns the hashes of every algorithm and the seed of the chain', async () => {
        const compare = new Comparison(ours.rpc, monerod.rpc);
        for (const major of VERSIONS) {
          for (const each of casesOf(major).slice(0, 2))
            await compare.call('calc_pow', params(each));
        }
        for (const height of SEED_HEIGHTS) {
          const each = { major: 16, height, blob: noise('seed', 76), seed: Buffer.alloc(0) };
          await compare.call('calc_pow', params(each));
        }
      });
    });
  },
  ['monerod'],
);
