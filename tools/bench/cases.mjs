import { transactions } from './proofs.mjs';

/** Does not let a benchmark measure a failing verification. */
function must(ok) {
  if (!ok) throw new Error('a recorded proof does not verify');
}

const [clsag] = transactions.flatMap((tx) => tx.clsags);
const twoInputs = transactions.find((tx) => tx.clsags.length === 2)?.clsags;
const twoOutputs = transactions.find((tx) => tx.rangeProof.commitments.length === 2)?.rangeProof;
const bytes = (length) => new Uint8Array(length).fill(7);

/**
 * One thing to measure: `units` pieces of work are done by one run; the baseline is an upstream
 * performance test that does the same.
 */
export const cases = [
  {
    name: 'Keccak-256, 16 KiB',
    units: 1,
    run: (backend) => backend.keccak256(bytes(16_384)),
    baseline: { test: 'test_cn_fast_hash<16384>' },
  },
  {
    name: 'hash to point',
    units: 1,
    run: (backend) => backend.hashToPoint(bytes(32)),
  },
  {
    name: 'CLSAG ring 16, 1 input',
    units: 1,
    run: (backend) => must(backend.verifyClsag([clsag])[0]),
  },
  {
    name: 'CLSAG ring 16, 2 inputs',
    units: 1,
    run: (backend) => must(backend.verifyClsag(twoInputs).every(Boolean)),
    baseline: { test: 'test_sig_clsag<16, 2, 2>' },
  },
  {
    name: 'Bulletproof+ 2 outputs',
    units: 1,
    run: (backend) => must(backend.verifyBulletproofPlus([twoOutputs])),
    baseline: { test: 'test_bulletproof_plus<true, 2>' },
  },
  {
    name: 'Bulletproof+ 2 outputs, batch of 64',
    units: 64,
    run: (backend) => must(backend.verifyBulletproofPlus(Array(64).fill(twoOutputs))),
  },
];
