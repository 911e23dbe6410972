// Cases for the proofs that only old transactions have.
import { register } from 'node:module';
import { present } from '../values.mjs';
import { must, times } from './cases.mjs';

/**
 * @import { BorromeanProof, BulletproofProof, CryptoBackend, MlsagProof, RingSignatureProof } from '@monero-node/crypto'
 * @import { Case } from './cases.mjs'
 */
/**
 * @typedef {{ mlsags: MlsagProof[], bulletproofs: BulletproofProof[], borromeans: BorromeanProof[] }} OldProofs
 */

register('../../tools/typescript-hooks.mjs', import.meta.url);
const testing = '../../packages/crypto/src/testing';
/** @type {{ oldProofs: () => OldProofs }} */
const { oldProofs } = await import(`${testing}/old-fixtures.ts`);
/** @type {{ exampleRingSignature: (random: object, place: { ringSize: number, index: number }) => RingSignatureProof }} */
const { exampleRingSignature } = await import(`${testing}/old-signers.ts`);
/** @type {{ createTestRandom: (seed: string) => object }} */
const { createTestRandom } = await import(`${testing}/random.ts`);

const recorded = oldProofs();
const mlsag = present(recorded.mlsags.find(({ ring }) => ring.length === 11));
const bulletproof = present(
  recorded.bulletproofs.find(({ commitments }) => commitments.length === 2),
);
const borromean = present(recorded.borromeans[0]);
const ringSignature = exampleRingSignature(createTestRandom('bench'), { ringSize: 10, index: 4 });

const MLSAG_BATCH = 32;
const RANGE_PROOF_BATCH = 64;

// Work that the upstream tests measure in one call:
// test_check_tx_signature<10, 2, false>: one ring signature over a ring of 10.
// test_sig_mlsag<16, 2, 2>: two MLSAGs of ring 16, one after the other.
// test_check_tx_signature<2, 2, true, rct::RangeProofBorromean>: two range proofs and an MLSAG of ring 2.
// test_bulletproof<true, 2>: one proof of two amounts.
// test_aggregated_bulletproof<true, 2, 1, 1, 0, 64>: one batch of 64 such proofs.
const MLSAG_2 = 'test_sig_mlsag<16, 2, 2>';
const BORROMEAN_2 = 'test_check_tx_signature<2, 2, true, rct::RangeProofBorromean>';
const BULLETPROOF_64 = 'test_aggregated_bulletproof<true, 2, 1, 1, 0, 64>';

const mlsagBaseline = {
  terms: { [MLSAG_2]: 11 / 32 },
  note: '11 of the 32 ring members of the test of two MLSAGs of ring 16',
};

/**
 * The cases to measure on one thread.
 *
 * @type {readonly Case<CryptoBackend>[]}
 */
export const oldCases = [
  {
    name: 'ring signature (v1), ring 10',
    units: 1,
    run: (backend) => must(backend.verifyRingSignature([ringSignature])),
    baseline: { terms: { 'test_check_tx_signature<10, 2, false>': 1 } },
  },
  {
    name: 'MLSAG ring 11, 1 input',
    units: 1,
    run: (backend) => must(backend.verifyMlsag([mlsag])),
    baseline: mlsagBaseline,
  },
  {
    name: 'MLSAG ring 11, each of 32',
    units: MLSAG_BATCH,
    run: (backend) => must(backend.verifyMlsag(times(MLSAG_BATCH, [mlsag]))),
    baseline: mlsagBaseline,
  },
  {
    name: 'Borromean range proof',
    units: 1,
    run: (backend) => must(backend.verifyBorromean([borromean])),
    baseline: {
      terms: { [BORROMEAN_2]: 0.5, [MLSAG_2]: -1 / 32 },
      note: 'half the test of two, less its MLSAG of ring 2',
    },
  },
  {
    name: 'Bulletproof 2 outputs',
    units: 1,
    run: (backend) => must(backend.verifyBulletproof([bulletproof])),
    baseline: { terms: { 'test_bulletproof<true, 2>': 1 } },
  },
  {
    name: 'Bulletproof 2 outputs, each of 64',
    units: RANGE_PROOF_BATCH,
    run: (backend) => must(backend.verifyBulletproof(times(RANGE_PROOF_BATCH, [bulletproof]))),
    baseline: { terms: { [BULLETPROOF_64]: 1 / RANGE_PROOF_BATCH } },
  },
];
