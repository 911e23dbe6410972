// Decodes, hashes and verifies in a browser. Bundle it and load it as a module: npx esbuild examples/browser.mjs --bundle
// --format=esm --outfile=page.js. Nothing in it needs Node; examples/ask-node.mjs runs in a page as well.
import { parseBlock, toHex, transactionToObject } from '@monero-node/codec';
import { blockHashingBlob } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { createWasmBackend, runCheck } from '@monero-node/crypto';
import { createPowHasher } from '@monero-node/pow';

const { block, id, minerTx } = parseBlock(NETWORKS.mainnet.genesisBlob);
console.log(`block ${toHex(id)}`, transactionToObject(minerTx).vout);

const points = minerTx.tx.outputs.map(({ target }) => target.key);
console.log('keys on the curve:', runCheck(createWasmBackend(), { kind: 'points', points }));
