import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import type { AddedBlock, ChainEvents } from '@monero-node/blockchain';
import { NETWORKS, withOverrides, type Network } from '@monero-node/consensus';
import type { RandomxVersion } from '@monero-node/pow';
import { SeedPreparation, type SeedPreparationDependencies } from './seed-preparation.ts';

/** The first block of a seed is the one after this height; its seed block is 64 below. */
const LAST_OF_SEED = 2048 * 1500 + 64;

interface SetupOptions {
  readonly skipsEasiest?: boolean;
  readonly network?: Network;
}

/** A chain of a given height, whose blocks' ids tell their heights, and the seeds that were asked for. */
class Setup {
  readonly chain: EventEmitter<ChainEvents> & { height: number; difficulty: bigint };
  readonly prepared: number[] = [];
  /** The versions of RandomX that they were asked for with. */
  readonly versions: (RandomxVersion | undefined)[] = [];
  readonly preparation: SeedPreparation;

  constructor(
    height: number,
    seedsKept: number,
    { skipsEasiest = false, network = NETWORKS.mainnet }: SetupOptions = {},
  ) {
    const chain = Object.assign(new EventEmitter<ChainEvents>(), {
      height,
      difficulty: 1n,
      network,
      nextDifficulty: () => chain.difficulty,
      store: { blockMeta: (at: number) => (at < chain.height ? { id: idOf(at) } : undefined) },
    });
    this.chain = chain;
    const prepare = (seed: Uint8Array, version?: RandomxVersion): Promise<void> => {
      this.versions.push(version);
      this.prepared.push(new DataView(seed.buffer).getUint32(0));
      return Promise.reject(new Error('no memory'));
    };
    const blockchain = chain as unknown as SeedPreparationDependencies['blockchain'];
    const deps = { blockchain, pow: { prepare, seedsKept }, logger: silentLogger };
    this.preparation = new SeedPreparation(skipsEasiest, deps);
  }

  /** Adds blocks at once; returns the heights of the seed blocks that were asked for. */
  add(count: number): number[] {
    this.chain.height += count;
    this.chain.emit('blocks-added', Array<AddedBlock>(count));
    return this.prepared.splice(0);
  }
}

function idOf(height: number): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, height);
  return id;
}

describe('the cache of the next seed', () => {
  const [old, next] = [2048 * 1499, 2048 * 1500];

  test('is made at the start, then some blocks ahead, and not again once it is in use', async () => {
    const setup = new Setup(LAST_OF_SEED - 20, 2);
    const { chain, preparation, prepared } = setup;
    await preparation.start();
    expect(prepared.splice(0)).toEqual([old]);
    const asked: [number, number[]][] = [];
    while (chain.height < LAST_OF_SEED + 20) {
      const seeds = setup.add(1);
      if (seeds.length > 0) asked.push([chain.height - LAST_OF_SEED, seeds]);
    }
    expect(asked).toEqual([-7, -6, -5, -4, -3, -2, -1, 0, 1].map((at) => [at, [next]]));
    await preparation.stop();
    expect(chain.listenerCount('blocks-added')).toBe(0);
  });

  test('is made after the last block of the old seed by a hasher that keeps one', async () => {
    const setup = new Setup(LAST_OF_SEED - 1, 1);
    await setup.preparation.start();
    expect(setup.prepared.splice(0)).toEqual([old]);
    expect([setup.add(1), setup.add(1), setup.add(1)]).toEqual([[], [next], []]);
  });

  test('is made when a reorganization or a short span crosses the change, not in a long one', async () => {
    const setup = new Setup(LAST_OF_SEED - 12, 2);
    await setup.preparation.start();
    setup.prepared.length = 0;
    expect(setup.add(14)).toEqual([next]);
    setup.chain.height -= 30;
    expect(setup.add(30)).toEqual([]);
  });

  test.each([2, 1])('is made before the version of RandomX changes: %i kept', async (kept) => {
    const network = withOverrides(NETWORKS.regtest, {
      hardForks: [
        { version: 1, height: 0, time: 0 },
        { version: 14, height: 1, time: 0 },
        { version: 16, height: 1000, time: 0, powAlgorithm: 'randomx-v2' },
      ],
    });
    const setup = new Setup(980, kept, { network });
    const { chain, preparation, prepared, versions } = setup;
    await preparation.start();
    expect([prepared.splice(0), versions.splice(0)]).toEqual([[0], ['randomx']]);
    const asked: number[] = [];
    while (chain.height < 1020) {
      if (setup.add(1).length > 0) asked.push(chain.height - 1000);
    }
    expect(asked).toEqual(kept === 1 ? [0] : [-8, -7, -6, -5, -4, -3, -2, -1, 0]);
    expect(new Set(versions)).toEqual(new Set(['randomx-v2']));
  });

  test.each([
    [2, ['randomx', 'randomx-v2']],
    [1, ['randomx']],
  ])(
    'is made for both versions at a start shortly before the change: %i kept',
    async (kept, made) => {
      const network = withOverrides(NETWORKS.regtest, {
        hardForks: [
          { version: 1, height: 0, time: 0 },
          { version: 14, height: 1, time: 0 },
          { version: 16, height: 1000, time: 0, powAlgorithm: 'randomx-v2' },
        ],
      });
      const { preparation, versions } = new Setup(996, kept, { network });
      await preparation.start();
      expect(versions).toEqual(made);
      await preparation.stop();
    },
  );

  test('is not made where no block is hashed: before RandomX, and at a difficulty of 1 that is skipped', async () => {
    for (const [height, skips] of [
      [1_500_000, false],
      [LAST_OF_SEED, true],
    ] as const) {
      const setup = new Setup(height, 2, { skipsEasiest: skips });
      await setup.preparation.start();
      expect(setup.add(1)).toEqual([]);
    }
  });
});
