// Run as a process of its own: build-child.ts <directory> <chain>. Opens the stored blocks of a recorded chain, which builds their curve tree.
import { writeSync } from 'node:fs';
import { openLmdbStore } from '@monero-node/storage';
import { recordedChain, recordedNetwork } from './recorded-blocks.ts';
import { startTestChain } from './test-chain.ts';

const [, , path = '', name] = process.argv;
const recorded = recordedChain(name === 'wide-tree' ? 'wide-tree' : 'long');
const store = await openLmdbStore({ path, syncMode: 'fast' });
writeSync(1, '0\n');
await startTestChain(recordedNetwork(recorded), store);
// Waits to be killed, having built all.
setInterval(() => undefined, 1000);
