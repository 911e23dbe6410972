// Starts a private chain in this process, mines, reorganizes, and returns to a snapshot: node examples/devnet.mjs
import { devAccount, startNode } from '@monero-node/devnet';

const net = await startNode();
const { amount } = await net.fund(devAccount(1).address);
console.log(`${net.rpcUrl} has ${net.height} blocks; account 1 owns ${amount} atomic units`);

const snapshot = await net.snapshot();
const [block] = await net.reorganize(5);
console.log(`block ${block.height} was replaced, now there are ${net.height} blocks`);
await net.revert(snapshot);
console.log(`and again ${net.height}`);
await net.stop();
