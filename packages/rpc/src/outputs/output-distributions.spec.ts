import { Yielder } from '@monero-node/base';
import { NETWORKS } from '@monero-node/consensus';
import type { RpcChain } from '../dependencies.ts';
import { OutputDistributions } from './output-distributions.ts';

const HEIGHT = 50_000;
const REQUEST = { amount: 0n, from: 0, to: HEIGHT - 1, cumulative: true };

/** A chain in which each block made one RingCT output, or as many as `state` says. */
function chainOf(height: number) {
  const state = { reads: 0, isBroken: false, perBlock: 1 };
  const meta = (at: number) => ({
    id: Uint8Array.of(at >> 16, at >> 8, at, state.perBlock, ...new Uint8Array(28)),
    cumulativeRctOutputs: (at + 1) * state.perBlock,
  });
  const store = {
    blockMeta: (at: number) => (at < height ? meta(at) : undefined),
    blockMetas: (from: number, to: number) => {
      if (state.isBroken) throw new Error('damaged');
      state.reads++;
      const count = Math.max(0, Math.min(to, height) - from);
      return Array.from({ length: count }, (_, i) => meta(from + i));
    },
  };
  const chain = { network: NETWORKS.regtest, height, store } as unknown as RpcChain;
  return { chain, state };
}

/** The yielder of a call that waits for a place that it never gets. */
const stuck = (): Yielder =>
  new Yielder({ sliceMs: 0 }, { nextSlice: () => new Promise(() => undefined) });

test('a call that gets no place does not keep others from the shared counts', async () => {
  const { chain } = chainOf(HEIGHT);
  const distributions = new OutputDistributions();
  void distributions.get(chain, REQUEST, { yielder: stuck() });
  const found = await distributions.get(chain, REQUEST, { yielder: new Yielder() });
  expect(found?.counts).toEqual(Float64Array.from({ length: HEIGHT }, (_, i) => i + 1));
});

test('blocks that are replaced while a call waits for its place are counted again', async () => {
  const { chain, state } = chainOf(HEIGHT);
  const nextSlice = (): Promise<void> => {
    state.perBlock = 2;
    return Promise.resolve();
  };
  const yielder = new Yielder({}, { nextSlice });
  const found = await new OutputDistributions().get(chain, REQUEST, { yielder });
  expect(found?.counts).toEqual(Float64Array.from({ length: HEIGHT }, (_, i) => 2 * (i + 1)));
});

test('calls share the counting and rest meanwhile; afterwards nobody waits', async () => {
  const { chain, state } = chainOf(HEIGHT);
  const distributions = new OutputDistributions();
  let rested = 0;
  const waiting = {
    yielder: new Yielder(),
    resting: <T>(work: Promise<T>): Promise<T> => {
      rested++;
      return work;
    },
  };
  await Promise.all([1, 2, 3].map(() => distributions.get(chain, REQUEST, waiting)));
  expect(rested).toBe(3);
  expect(state.reads).toBe(HEIGHT / 1000);
  await distributions.get(chain, REQUEST, waiting);
  expect([rested, state.reads]).toEqual([3, HEIGHT / 1000]);
});

test('a store that fails rejects those who wait, and the next call counts again', async () => {
  const { chain, state } = chainOf(HEIGHT);
  const distributions = new OutputDistributions();
  state.isBroken = true;
  const waiting = { yielder: new Yielder() };
  const both = [1, 2].map(() => distributions.get(chain, REQUEST, waiting));
  for (const call of await Promise.allSettled(both)) expect(call.status).toBe('rejected');
  state.isBroken = false;
  expect((await distributions.get(chain, REQUEST, waiting))?.counts).toHaveLength(HEIGHT);
});
