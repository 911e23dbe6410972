// Decodes and verifies in a browser. Bundle it and load it as a module:
// npx esbuild examples/browser.mjs --bundle --format=esm --outfile=page.js
// Nothing in it needs Node. examples/ask-node.mjs runs in a page as well.
import { parseBlock, toHex, transactionToObject } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { createWasmBackend, runCheck } from '@monero-node/crypto';

const { id, minerTx } = parseBlock(NETWORKS.mainnet.genesisBlob);
console.log(`block ${toHex(id)}`, JSON.stringify(transactionToObject(minerTx).vout));

const points = minerTx.tx.outputs.map(({ target }) => target.key);
const [isPoint] = runCheck(createWasmBackend(), { kind: 'points', points });
console.log(`its key is on the curve: ${isPoint}`);
if (!isPoint) throw new Error('wrong verdict');
