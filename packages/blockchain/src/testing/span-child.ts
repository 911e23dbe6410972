// Run as a process of its own: span-child.ts <directory>. Adds the blocks of `outputBranch` to a store on the disk.
import { writeSync } from 'node:fs';
import { openLmdbStore } from '@monero-node/storage';
import { outputBranch } from './output-branch.ts';
import { bundleOf, EASY, startTestChain } from './test-chain.ts';

/** Written at once: what has been reported survives the process. */
function report(height: number): void {
  writeSync(1, `${height}\n`);
}

const [, , path = ''] = process.argv;
const store = await openLmdbStore({ path, syncMode: 'fast' });
const { chain } = await startTestChain(EASY, store);
const blocks = outputBranch().map(bundleOf);
chain.on('blocks-added', (news) => report((news.at(-1)?.height ?? 0) + 1));
report(chain.height);
await chain.addSpan(blocks.slice(chain.height - 1), { trust: true });
