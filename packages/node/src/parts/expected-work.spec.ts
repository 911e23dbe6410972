import { EventEmitter } from 'node:events';
import type { AddedBlock, ChainEvents } from '@monero-node/blockchain';
import { NETWORKS } from '@monero-node/consensus';
import {
  ExpectedWork,
  type ExpectedWorkDependencies,
  type ExpectedWorkOptions,
} from './expected-work.ts';

/** The first height of a seed, and its seed block; epochs have 2048 blocks and a lag of 64. */
const SEED = 2048 * 1500;
const FIRST = SEED + 65;
const TARGET = FIRST + 10_000;

/** A chain whose blocks' ids tell their heights, where it goes, and what the hasher was told. */
class Setup {
  readonly chain: EventEmitter<ChainEvents> & { height: number };
  readonly told: [seed: number, blocks: number][] = [];
  readonly work: ExpectedWork;
  target = TARGET;

  constructor(options: Partial<ExpectedWorkOptions> = {}) {
    this.chain = Object.assign(new EventEmitter<ChainEvents>(), {
      height: FIRST,
      network: NETWORKS.mainnet,
      nextDifficulty: () => 1n,
      store: { blockMeta: (at: number) => ({ id: Uint8Array.of(at >> 16, at >> 8, at) }) },
    });
    const pow = {
      expect: (seed: Uint8Array, blocks: number) => {
        this.told.push([Buffer.from(seed).readUIntBE(0, 3), blocks]);
      },
    };
    const blockchain = this.chain as unknown as ExpectedWorkDependencies['blockchain'];
    this.work = new ExpectedWork(
      { skipsEasiest: false, trustedGroups: 0, ...options },
      { blockchain, pow, target: () => this.target },
    );
    void this.work.start();
  }

  /** Has blocks added up to a height; returns what the hasher was told. */
  reach(height: number): [seed: number, blocks: number][] {
    this.chain.height = height;
    this.chain.emit('blocks-added', [] as AddedBlock[]);
    return this.told.splice(0);
  }
}

test('the rest of the epoch is expected, at the start too, while the target is past its end', () => {
  const setup = new Setup();
  expect(setup.told.splice(0)).toEqual([[SEED, 2048]]);
  expect(setup.reach(FIRST)).toEqual([[SEED, 2048]]);
  expect(setup.reach(FIRST + 2047)).toEqual([[SEED, 1]]);
  expect(setup.reach(FIRST + 2048)).toEqual([[SEED + 2048, 2048]]);
});

test('no more is expected than the target has, and nothing at it or without one', () => {
  const setup = new Setup();
  setup.told.splice(0);
  setup.target = FIRST + 1100;
  expect(setup.reach(FIRST)).toEqual([[SEED, 1100]]);
  expect(setup.reach(FIRST + 1100)).toEqual([[SEED, 0]]);
  setup.target = 0;
  expect(setup.reach(FIRST)).toEqual([[SEED, 0]]);
});

test('blocks whose work is not verified are not expected', async () => {
  const trusted = new Setup({ trustedGroups: Math.ceil(FIRST / 512) });
  trusted.told.splice(0);
  expect(trusted.reach(FIRST - 100)).toEqual([[SEED - 2048, 0]]);
  const rest = FIRST + 2048 - 512 * Math.ceil(FIRST / 512);
  expect(trusted.reach(FIRST)).toEqual([[SEED, rest]]);
  expect(new Setup({ skipsEasiest: true }).told).toEqual([[SEED, 0]]);
  expect(new Setup().reach(1_900_000).at(-1)).toMatchObject([expect.any(Number), 0]);
  await trusted.work.stop();
  expect(trusted.reach(FIRST)).toEqual([]);
});

test('with a dataset to keep, the rest of the epoch is expected at the start and at the top too', async () => {
  const setup = new Setup({ keepsDataset: true });
  expect(setup.told.splice(0)).toEqual([[SEED, 2048]]);
  setup.target = 0;
  expect(setup.reach(FIRST + 2000)).toEqual([[SEED, 48]]);
  expect(setup.reach(FIRST + 2048)).toEqual([[SEED + 2048, 2048]]);
  // Not before the first block whose work is verified.
  const trusted = new Setup({ keepsDataset: true, trustedGroups: Math.ceil(FIRST / 512) });
  expect(trusted.told).toEqual([[SEED, FIRST + 2048 - 512 * Math.ceil(FIRST / 512)]]);
  expect(new Setup({ keepsDataset: true, skipsEasiest: true }).told).toEqual([[SEED, 0]]);
  await trusted.work.stop();
});
