import type { Yielder } from '@monero-node/base';
import type { ChainChange } from '../../chain-writer.ts';
import type { Environment } from '../files/environment.ts';
import { readVersion, TREE_SCHEMA_VERSION, versionOp } from '../schema.ts';
import type { TreeTableName, WriteOp } from '../tables/tables.ts';
import { stageTree } from '../tree/staged-tree.ts';

/**
 * Returns the rows of the curve tree that a change writes and removes, with the version of a store that has such rows. Creates the tables for
 * the first rows, in a transaction before that of the rows.
 */
export async function treeOps(
  environment: Environment,
  change: Pick<ChainChange, 'popTo' | 'tree'>,
  yielder: Yielder,
): Promise<WriteOp[]> {
  const stored = {
    get: environment.get.bind(environment),
    keys: (table: TreeTableName) => environment.keys(table, Infinity),
  };
  const ops = await stageTree(stored, change, yielder);
  if (ops.length === 0) return ops;
  if (!environment.hasTree) environment.createTree();
  // A writer that ended between the two left tables, and the version of a store without them.
  if (readVersion(environment) === TREE_SCHEMA_VERSION) return ops;
  return [...ops, versionOp(TREE_SCHEMA_VERSION)];
}
