import { NO_TREE } from '@monero-node/blockchain';
import { NETWORKS } from '@monero-node/consensus';
import type { PoolTransaction } from '@monero-node/mempool';
import type { RpcChain } from '../dependencies.ts';
import { EMPTY_POOL } from '../pool.ts';
import { minerData } from './miner-data.ts';

const id = (value: number) => new Uint8Array(32).fill(value);

/** A chain of a given height whose top's id is filled with it; version 1 needs no seed. */
function chainAt(start: number, version = 1) {
  const state = { height: start };
  const chain = {
    get top() {
      return { id: id(state.height), generatedCoins: 0n };
    },
    get height() {
      return state.height;
    },
    nextVersion: () => version,
    nextDifficulty: () => 1n,
    weightState: () => ({ effectiveMedian: 300_000 }),
    network: NETWORKS.regtest,
    treeRoots: NO_TREE,
    store: { blockMeta: () => ({ id: id(0) }) },
  };
  return { state, chain: chain as unknown as RpcChain };
}

/** A pool whose backlog is a transaction named after the tip at which it was begun; the chain moves while it is made. */
function movingPool(state: { height: number }, moves: number) {
  let calls = 0;
  return {
    ...EMPTY_POOL,
    templateBacklog: async () => {
      const begun = state.height;
      await new Promise((resolve) => setImmediate(resolve));
      if (calls++ < moves) state.height++;
      return [{ id: id(begun), fee: 1n, weight: 1 } as PoolTransaction];
    },
    calls: () => calls,
  };
}

test('is of one tip: the backlog is made again when a block comes meanwhile', async () => {
  const { state, chain } = chainAt(5);
  const pool = movingPool(state, 2);
  const data = await minerData(chain, pool);
  expect(data).toMatchObject({ height: 7, prev_id: id(7), tx_backlog: [{ id: id(7) }] });
  expect(pool.calls()).toBe(3);
});

test('is returned although blocks come faster than the backlog is made', async () => {
  const { state, chain } = chainAt(5);
  const pool = movingPool(state, Infinity);
  expect(await minerData(chain, pool)).toMatchObject({ height: 10 });
  expect(pool.calls()).toBe(5);
});

test.each([17, 18])('has the curve tree of a block of version %i', async (version) => {
  const { state, chain } = chainAt(5, version);
  const data = await minerData(chain, movingPool(state, 0));
  // The chain of this test keeps no tree.
  expect(data).toMatchObject({ fcmp_pp_n_tree_layers: 0, fcmp_pp_tree_root: id(0) });
});

test('is refused where the tree is not known', async () => {
  const { state, chain } = chainAt(5, 17);
  const unknown = Object.assign(chain, { treeRoots: { ...NO_TREE, treeAt: () => undefined } });
  expect(await minerData(unknown, movingPool(state, 0))).toBeUndefined();
});

test('has no tree below version 17', async () => {
  const { state, chain } = chainAt(5, 16);
  const data = await minerData(chain, movingPool(state, 0));
  expect(data?.fcmp_pp_tree_root).toBeUndefined();
});
