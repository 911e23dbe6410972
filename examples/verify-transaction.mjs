// Verifies a whole transaction of mainnet (e2d39395…) with its ring members, and shows that a changed one is refused.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromHex, parseTransaction, toHex } from '@monero-node/codec';
import { verifyTransaction } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';

const file = new URL('../packages/consensus/fixtures/mainnet.json.gz', import.meta.url);
const { withRings } = JSON.parse(gunzipSync(readFileSync(file)));
const recorded = withRings.find(({ network }) => network === 'mainnet');

const blob = Uint8Array.from(Buffer.from(recorded.transaction, 'base64'));
// A program gets ring members from a node, with `fetchRings` of the RPC client: see verify-page/.
const rings = recorded.rings.map((ring) =>
  ring.map(([key, commitment]) => ({ key: fromHex(key), commitment: fromHex(commitment) })),
);
// The fork that was in force: version 8, of October 2018.
const options = { version: 8, backend: createBackend() };

const transaction = parseTransaction(blob);
const good = await verifyTransaction(transaction, rings, options);
console.log(`${toHex(transaction.id)}: ${good.ok ? 'valid' : good.error.message}`);

const bad = await verifyTransaction(
  transaction,
  rings.map((ring) => ring.toReversed()),
  options,
);
console.log(`with its ring members in another order: ${bad.code}`);
if (!good.ok || bad.code !== 'bad-ring-signature') throw new Error('wrong verdict');
