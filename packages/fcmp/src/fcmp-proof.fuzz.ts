import { type ProofFixture, readFixture, statementOf } from './testing/fixtures.ts';
import { createFcmpBackend } from './choose-backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';
import { findFcmpAddon } from './native/addon.ts';
import { verifyFcmpPlusPlus } from './verify.ts';

const backends = [
  ...(findFcmpAddon() === undefined ? [] : [createFcmpBackend('native')]),
  createFcmpBackend('wasm'),
  REFERENCE_BACKEND,
];

const fixture = readFixture<ProofFixture[]>('proofs').find(
  ({ name }) => name === '1in-1layer-1leaves',
) as ProofFixture;
const statement = statementOf(fixture);
const { proof, root, message } = statement;
const [pseudoOut] = statement.pseudoOuts as [Uint8Array];
const [keyImage] = statement.keyImages as [Uint8Array];

// Root, pseudo-out, key image and message, then the proof: everything but the number of layers and inputs is the input's.
const parts = [root, pseudoOut, keyImage, message, proof];
const valid = new Uint8Array(parts.flatMap((bytes) => [...bytes]));

/** A proof that holds. */
export const seeds = [valid];
export const maxLength = valid.length + 64;

/** Whatever the bytes, every backend answers, and it is true for one input only. */
export function fuzz(input: Uint8Array): void {
  const at = (i: number): Uint8Array => {
    const bytes = new Uint8Array(32);
    bytes.set(input.subarray(32 * i, 32 * i + 32));
    return bytes;
  };
  const changed = {
    layers: fixture.layers,
    root: at(0),
    pseudoOuts: [at(1)],
    keyImages: [at(2)],
    message: at(3),
    proof: input.subarray(4 * 32),
  };
  const isSame = input.length === valid.length && input.every((byte, i) => byte === valid[i]);
  for (const backend of backends) {
    if (verifyFcmpPlusPlus(changed, backend) !== isSame) {
      throw new Error(`${backend.name}: ${isSame ? 'refused' : 'a changed proof was accepted'}`);
    }
  }
}
