import { REFERENCE_BACKEND } from './backend/reference.ts';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { sampled } from '@monero-node/base/testing';
import { decodeEdPoint } from './curves/ed25519.ts';
import { elementBytes } from './curves/fields.ts';
import { EdEquation, type PublicInput, readSpendAuthorization } from './spend-authorization.ts';
import { readFixture } from './testing/fixtures.ts';

interface Vector {
  readonly description: string;
  readonly signable_tx_hash: string;
  readonly O_tilde: string;
  readonly I_tilde: string;
  readonly R: string;
  readonly C_tilde: string;
  readonly key_image: string;
  readonly proof: string;
  readonly challenge: string;
  readonly flips: { offset: number; xor: number }[];
}

const vectors = readFixture<Vector[]>('spend-authorization');

function inputOf({ O_tilde, I_tilde, R, C_tilde, key_image }: Vector): PublicInput {
  const [O, I, r, C, keyImage] = [O_tilde, I_tilde, R, C_tilde, key_image].map((hex) =>
    hexToBytes(hex),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return {
    O: decodeEdPoint(O),
    I: decodeEdPoint(I),
    R: decodeEdPoint(r),
    C: decodeEdPoint(C),
    keyImage: decodeEdPoint(keyImage),
    bytes: { O, I, R: r, C, keyImage },
  };
}

function isValid(vector: Vector, bytes: Uint8Array, message: string): boolean {
  const input = inputOf(vector);
  const equation = new EdEquation(REFERENCE_BACKEND);
  const spend = readSpendAuthorization(hexToBytes(message), input.bytes, bytes, REFERENCE_BACKEND);
  equation.addSpendAuthorization(input, spend);
  return equation.holds();
}

it('accepts proofs of legacy and Carrot outputs, also as a batch', () => {
  const equation = new EdEquation(REFERENCE_BACKEND);
  for (const vector of sampled(vectors, 3)) {
    const input = inputOf(vector);
    const message = hexToBytes(vector.signable_tx_hash);
    const spend = readSpendAuthorization(
      message,
      input.bytes,
      hexToBytes(vector.proof),
      REFERENCE_BACKEND,
    );
    expect(bytesToHex(elementBytes(spend.e))).toBe(vector.challenge);
    equation.addSpendAuthorization(input, spend);
  }
  expect(equation.holds()).toBe(true);
});

it('refuses changed proofs and another message', () => {
  for (const vector of sampled(vectors, 6)) {
    for (const { offset, xor } of sampled(vector.flips, 17)) {
      const bytes = hexToBytes(vector.proof);
      bytes[offset] = (bytes[offset] as number) ^ xor;
      let valid = false;
      try {
        valid = isValid(vector, bytes, vector.signable_tx_hash);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(valid).toBe(false);
    }
    expect(isValid(vector, hexToBytes(vector.proof), '00'.repeat(32))).toBe(false);
  }
});
