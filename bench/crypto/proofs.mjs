// The recorded transactions that the benchmarks verify.
import { readFileSync } from 'node:fs';

function elements(base64) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
}

const element = (base64) => elements(base64)[0];

function read(url) {
  const file = JSON.parse(readFileSync(url, 'utf8'));
  const ringMember = (index) => {
    const [key, commitment] = elements(file.outputs[index]);
    return { key, commitment };
  };
  return file.transactions.map((tx) => {
    const [A, A1, B, r1, s1, d1] = elements(tx.rangeProof.scalarsAndPoints);
    const commitments = elements(tx.commitments);
    const L = elements(tx.rangeProof.L);
    const R = elements(tx.rangeProof.R);
    return {
      keyImages: tx.inputs.map((input) => element(input.keyImage)),
      outputKeys: elements(tx.outputKeys),
      balance: {
        inputs: tx.inputs.map((input) => element(input.pseudoOut)),
        outputs: commitments,
        fee: BigInt(tx.fee),
      },
      clsags: tx.inputs.map((input) => ({
        message: element(tx.message),
        ring: input.ring.split(/[ ,]+/).map(ringMember),
        pseudoOut: element(input.pseudoOut),
        keyImage: element(input.keyImage),
        s: elements(input.s),
        c1: element(input.c1),
        D: element(input.D),
      })),
      rangeProof: { commitments, A, A1, B, r1, s1, d1, L, R },
    };
  });
}

/** A transaction with two inputs and two outputs. */
export const [transaction] = read(new URL('../fixtures/transaction-2-2.json', import.meta.url));
