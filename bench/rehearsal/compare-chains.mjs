// Compares what two stores hold of a chain, byte by byte.
import { isDeepStrictEqual } from 'node:util';
import { openLmdbStore } from '@monero-node/storage';

/** @import { ChainStore } from '@monero-node/storage' */
/**
 * What was equal: prunable parts that both stores have, and those that the first has dropped.
 *
 * @typedef {{ blocks: number, transactions: number, prunableParts: number, dropped: number, outputs: number }} Equality
 */

/** RingCT outputs are in the list of this amount. */
const RCT_LIST = 0n;

/**
 * Compares a block with its transactions, prunable parts among them. Throws Error when they differ.
 *
 * @param {ChainStore} store which may be pruned
 * @param {ChainStore} expected
 * @param {number} height
 * @param {Equality} found counts what was equal
 */
function compareBlock(store, expected, height, found) {
  const [own, other] = [store.blockTxs(height), expected.blockTxs(height)];
  const isSame =
    own.length === other.length &&
    isDeepStrictEqual(store.blockMeta(height), expected.blockMeta(height)) &&
    isDeepStrictEqual(store.blockBlob(height), expected.blockBlob(height));
  if (!isSame) throw new Error(`block ${height} differs`);
  for (const [position, tx] of own.entries()) {
    const { prunable, dropped, ...base } = tx;
    const { prunable: otherPrunable, dropped: otherDropped, ...otherBase } = other[position] ?? tx;
    const place = `transaction ${position} of block ${height}`;
    if (!isDeepStrictEqual(base, otherBase)) throw new Error(`${place} differs`);
    const [indices, otherIndices] = [store, expected].map((of) =>
      of.outputIndices(height, position),
    );
    if (!isDeepStrictEqual(indices, otherIndices))
      throw new Error(`the outputs of ${place} are numbered otherwise`);
    found.transactions++;
    if (otherDropped) throw new Error(`the source lacks the prunable part of ${place}`);
    if (dropped) found.dropped++;
    else if (Buffer.compare(prunable, otherPrunable) === 0) found.prunableParts++;
    else throw new Error(`the prunable part of ${place} differs`);
  }
  found.blocks++;
}

/**
 * Compares the RingCT outputs. Throws Error when they differ.
 *
 * @param {ChainStore} store
 * @param {ChainStore} expected
 * @param {Equality} found
 */
function compareOutputs(store, expected, found) {
  const count = expected.outputCount(RCT_LIST);
  if (store.outputCount(RCT_LIST) !== count) throw new Error('the numbers of outputs differ');
  for (; found.outputs < count; found.outputs++) {
    const [own, other] = [store, expected].map((of) => of.output(RCT_LIST, found.outputs));
    if (!isDeepStrictEqual(own, other)) throw new Error(`output ${found.outputs} differs`);
  }
}

/**
 * Compares the stores in two folders, the first of which may be pruned. Returns what was equal. Throws Error at the first difference, and
 * StorageError while a node uses one of them.
 *
 * @param {string} path
 * @param {string} expectedPath of a store that lacks nothing
 * @returns {Promise<Equality>}
 */
export async function compareChains(path, expectedPath) {
  const options = { readOnly: true, exclusive: true };
  const store = await openLmdbStore({ ...options, path });
  const expected = await openLmdbStore({ ...options, path: expectedPath });
  const found = { blocks: 0, transactions: 0, prunableParts: 0, dropped: 0, outputs: 0 };
  try {
    if (store.height !== expected.height)
      throw new Error(`${store.height} blocks and not ${expected.height}`);
    for (let height = 0; height < expected.height; height++)
      compareBlock(store, expected, height, found);
    compareOutputs(store, expected, found);
    return found;
  } finally {
    await store.close();
    await expected.close();
  }
}
