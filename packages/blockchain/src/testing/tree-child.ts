// Run as a process of its own: tree-child.ts <directory>. Adds blocks of a chain with a curve tree to a store on the disk, and takes some back.
import { writeSync } from 'node:fs';
import { openLmdbStore } from '@monero-node/storage';
import { recordedBlocks, recordedChain, recordedNetwork } from './recorded-blocks.ts';
import { startTestChain } from './test-chain.ts';

const recorded = recordedChain('odd-coinbases');
const [, , path = ''] = process.argv;
const store = await openLmdbStore({ path, syncMode: 'fast' });
const { chain } = await startTestChain(recordedNetwork(recorded), store);
/** Written at once: what has been reported survives the process. */
const report = (): number => writeSync(1, `${chain.height}\n`);

report();
while (chain.height < recorded.blocks.length) {
  await chain.addSpan(recordedBlocks(recorded, chain.height, chain.height + 7));
  report();
  await chain.popBlocks(3);
  report();
}
