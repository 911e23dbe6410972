// Run as a process of its own with a channel: follower-child.ts <directory>. Follows the commits that its parent names.
import { openWithoutLocks } from '../lmdb/follow/without-locks.ts';

openWithoutLocks();
// Imported only now: it loads the lmdb package.
const { openFollower } = await import('../lmdb/follow/open-follower.ts');
const { numberedAltBlock, numberedBlock } = await import('./numbered-chain.ts');

/** Heights compared at each commit. */
const COMPARED = 12;

const { store, follow } = await openFollower(process.argv[2] ?? '');
const known = new Map<number, ReturnType<typeof numberedBlock>>();

function expected(height: number): ReturnType<typeof numberedBlock> {
  const block = known.get(height) ?? numberedBlock(height);
  known.set(height, block);
  return block;
}

const same = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0;

/** Returns which part of the block at a height is not that of the numbered block; undefined when all of it is. */
function wrongPart(height: number): string | undefined {
  const block = expected(height);
  const [tx] = block.txs;
  const txs = store.blockTxs(height);
  const isSameTx = (stored: (typeof txs)[number], n: number): boolean =>
    same(stored.pruned, block.txs[n]?.pruned ?? stored.id) &&
    same(stored.prunable, block.txs[n]?.prunable ?? stored.id);
  if (!same(store.blockMeta(height)?.id, block.meta.id)) return 'meta';
  if (!same(store.blockBlob(height), block.blob)) return 'blob';
  if (txs.length !== block.txs.length || !txs.every(isSameTx)) return 'transactions';
  return tx === undefined || store.txLocation(tx.id)?.height === height ? undefined : 'location';
}

/** Returns what is wrong with the chain that is read; undefined when it is a chain of numbered blocks. */
function fault(): string | undefined {
  const { height } = store;
  const alt = store.altBlocks();
  const only = alt.length === 1 && same(alt[0]?.id, numberedAltBlock(height).id);
  if (height > 0 && !only) return `alternative blocks at ${height}`;
  for (let i = 0; i < Math.min(COMPARED, height); i++) {
    const at = i < COMPARED / 2 ? height - 1 - i : Math.floor((i * height) / COMPARED);
    const part = wrongPart(at);
    if (part !== undefined) return `${part} of block ${at} of ${height}`;
  }
  return store.blockMeta(height) === undefined ? undefined : `a block above ${height}`;
}

process.on('message', (commit: number) => {
  if (!follow(commit)) return;
  // The rest of the commit's time it is read again: later commits must not have changed it.
  process.send?.({ commit, fault: fault() });
});
setInterval(() => {
  const found = fault();
  if (found !== undefined) process.send?.({ commit: 0, fault: found });
}, 20);
process.on('disconnect', () => process.exit(0));
process.send?.({ commit: 0, fault: undefined });
