import { describeAppend } from './compliance-append.ts';
import { describeRefusals } from './compliance-refusals.ts';
import { describePruning } from './compliance-prune.ts';
import { describeReorganization } from './compliance-pop.ts';
import { describeSmallThings } from './compliance-other.ts';
import { describePool } from './compliance-pool.ts';
import { describeTree } from './compliance-tree.ts';
import type { MakeStore, StoreHarness } from './store-harness.ts';

/**
 * The behavior required of every ChainStore.
 *
 * @param withPool false for a store that only keeps its hashes in another way, which the pool has nothing to do with
 */
export function describeChainStore(name: string, make: MakeStore, withPool = true): void {
  describe(`${name}: ChainStore`, () => {
    let harness: StoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(async () => {
      await harness.dispose();
    });
    const current = (): StoreHarness => harness;
    describeAppend(current);
    describeReorganization(current);
    describeRefusals(current);
    describePruning(current);
    describeTree(current);
    if (withPool) describePool(current);
    describeSmallThings(current);
  });
}
