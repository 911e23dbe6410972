// Verifies the CLSAG ring signatures of a recorded transaction, and shows that a changed one is refused.
import { readFileSync } from 'node:fs';
import { createBackend, describeBackend, runCheck } from '@monero-node/crypto';

const file = new URL('../packages/crypto/fixtures/regtest-transactions.json', import.meta.url);
const { outputs, transactions } = JSON.parse(readFileSync(file, 'utf8'));

/** Cuts base64 of concatenated values into pieces of 32 bytes. */
function values(base64) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
}

const [transaction] = transactions;
const [message] = values(transaction.message);
const proofs = transaction.inputs.map((input) => {
  const ring = input.ring.split(' ').map((index) => {
    const [key, commitment] = values(outputs[index]);
    return { key, commitment };
  });
  const [[pseudoOut], [keyImage], [c1], [D]] = ['pseudoOut', 'keyImage', 'c1', 'D'].map((name) =>
    values(input[name]),
  );
  return { message, ring, pseudoOut, keyImage, s: values(input.s), c1, D };
});

const backend = createBackend();
const verify = (clsags) => runCheck(backend, { kind: 'clsag', proofs: clsags });
const good = verify(proofs);
const bad = verify(proofs.map((proof) => ({ ...proof, message: new Uint8Array(32) })));
console.log(`transaction ${transaction.id}, backend ${describeBackend(backend)}`);
console.log(`signatures: ${good.join(', ')}; over another message: ${bad.join(', ')}`);
if (!good.every(Boolean) || bad.some(Boolean)) throw new Error('wrong verdict');
