// A page that verifies any transaction of a node: its form, key images, range proofs and signatures, computed here, with WebAssembly.
// Bundle it, then serve the folder (file: has no modules):
// npx esbuild examples/verify-page/page.mjs --bundle --format=esm --outfile=examples/verify-page/page.js
// The link `?node=http://127.0.0.1:18081&id=…` verifies at once.
import { parsePrunedTransaction, parseTransaction, toHex } from '@monero-node/codec';
import { verifyTransaction } from '@monero-node/consensus';
import { createWasmBackend } from '@monero-node/crypto';
import { fetchRings, RpcClient } from '@monero-node/rpc-client';

const form = document.querySelector('form');
const output = document.querySelector('output');
const backend = createWasmBackend();

/** Returns a transaction as the node has it: whole, or without proofs when it has pruned them or there are none. */
function read({ as_hex: whole, pruned_as_hex: pruned, prunable_hash: proofs }) {
  return whole.length > 0 ? parseTransaction(whole) : parsePrunedTransaction(pruned, proofs);
}

/** Returns the fork under whose rules a transaction is judged: that of its block, or of the next block. */
async function forkOf(client, { in_pool: inPool, block_height: height }) {
  if (inPool) return (await client.rpc('hard_fork_info')).version;
  const { block_header: header } = await client.rpc('get_block_header_by_height', { height });
  return header.major_version;
}

/** Returns what is to be said of a transaction. Rejects with the errors of the client and of what it uses. */
async function verdictOf(client, id) {
  const { txs } = await client.path('/get_transactions', { txs_hashes: [id] });
  const [found] = txs;
  if (found === undefined) return 'The node does not know this transaction.';
  const transaction = read(found);
  if (toHex(transaction.id) !== id) return 'The node returned another transaction.';
  if (transaction.parts.isCoinbase) return 'A miner transaction: nothing in it is signed.';
  if (transaction.pruned) return 'The node has pruned the proofs of this transaction.';
  const version = await forkOf(client, found);
  const rings = await fetchRings(client, transaction);
  const verdict = await verifyTransaction(transaction, rings, { version, backend });
  const members = rings.flat().length;
  return verdict.ok
    ? `Valid under fork ${version}: ${rings.length} inputs, ${members} ring members.`
    : `Not valid under fork ${version}: ${verdict.error.message}`;
}

async function verify() {
  const { node, id } = Object.fromEntries(new FormData(form));
  output.value = 'Verifying …';
  let client;
  try {
    client = new RpcClient({ url: node });
    output.value = await verdictOf(client, id.trim().toLowerCase());
  } catch (error) {
    output.value = `Cannot tell: ${error.message}`;
  } finally {
    client?.close();
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
const given = new URLSearchParams(location.search);
for (const name of ['node', 'id']) {
  if (given.has(name)) form.elements.namedItem(name).value = given.get(name);
}
if (given.has('id')) void verify();
