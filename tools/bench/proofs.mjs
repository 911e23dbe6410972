// The recorded proofs that the benchmarks verify.
import { readFileSync } from 'node:fs';

const file = JSON.parse(
  readFileSync(
    new URL('../../packages/crypto/fixtures/regtest-transactions.json', import.meta.url),
    'utf8',
  ),
);

function elements(base64) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
}

const element = (base64) => elements(base64)[0];

function ringMember(index) {
  const [key, commitment] = elements(file.outputs[index]);
  return { key, commitment };
}

function ring(text) {
  return text.split(/[ ,]+/).map(ringMember);
}

export const transactions = file.transactions.map((tx) => {
  const [A, A1, B, r1, s1, d1] = elements(tx.rangeProof.scalarsAndPoints);
  return {
    clsags: tx.inputs.map((input) => ({
      message: element(tx.message),
      ring: ring(input.ring),
      pseudoOut: element(input.pseudoOut),
      keyImage: element(input.keyImage),
      s: elements(input.s),
      c1: element(input.c1),
      D: element(input.D),
    })),
    rangeProof: {
      commitments: elements(tx.commitments),
      A,
      A1,
      B,
      r1,
      s1,
      d1,
      L: elements(tx.rangeProof.L),
      R: elements(tx.rangeProof.R),
    },
  };
});
