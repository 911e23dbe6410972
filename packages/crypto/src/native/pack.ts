import type { BulletproofPlusProof, ClsagProof } from '../types.ts';

// The addon takes whole batches as one array, since reading hundreds of small arrays through
// N-API would take as long as the arithmetic. Every element is 32 bytes, numbers are 32-bit
// little-endian; native/binding.cc reads the same fields in the same order.

const MAX_OUTPUTS = 16;
const ROUNDS_FOR_ONE = 6;

/** Appends fields to one buffer of the right size. */
class Packer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  number(value: number): void {
    this.#view.setUint32(this.#offset, value, true);
    this.#offset += 4;
  }

  element(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.#offset);
    this.#offset += 32;
  }

  elements(list: readonly Uint8Array[]): void {
    for (const bytes of list) this.element(bytes);
  }
}

function isElement(bytes: Uint8Array | undefined): boolean {
  return bytes?.length === 32;
}

/** The elements one after another, or undefined if one of them is not 32 bytes. */
export function packElements(list: readonly Uint8Array[]): Uint8Array | undefined {
  if (!list.every(isElement)) return undefined;
  const packer = new Packer(32 * list.length);
  packer.elements(list);
  return packer.bytes;
}

/** True if every field has its size; whether the bytes mean anything is for the addon to say. */
export function isPackableClsag(proof: ClsagProof): boolean {
  const { ring, s } = proof;
  return (
    ring.length >= 1 &&
    s.length === ring.length &&
    isElement(proof.message) &&
    isElement(proof.pseudoOut) &&
    isElement(proof.keyImage) &&
    isElement(proof.D) &&
    isElement(proof.c1) &&
    ring.every((member) => isElement(member.key) && isElement(member.commitment)) &&
    s.every(isElement)
  );
}

/** Packs signatures that are packable. */
export function packClsags(proofs: readonly ClsagProof[]): Uint8Array {
  const sizes = proofs.map((proof) => 4 + 32 * (5 + 3 * proof.ring.length));
  const packer = new Packer(sizes.reduce((sum, size) => sum + size, 0));
  for (const { message, ring, pseudoOut, keyImage, s, c1, D } of proofs) {
    packer.number(ring.length);
    packer.elements([message, pseudoOut, keyImage, D, c1]);
    for (const member of ring) packer.element(member.key);
    for (const member of ring) packer.element(member.commitment);
    packer.elements(s);
  }
  return packer.bytes;
}

/** True if all fields have their size and the rounds fit the smallest padding of 1 to 16 outputs. */
export function isPackableRangeProof(proof: BulletproofPlusProof): boolean {
  const { commitments, L, R, A, A1, B, r1, s1, d1 } = proof;
  const outputs = commitments.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS) return false;
  const rounds = ROUNDS_FOR_ONE + Math.ceil(Math.log2(outputs));
  return (
    L.length === rounds &&
    R.length === rounds &&
    [A, A1, B, r1, s1, d1].every(isElement) &&
    [commitments, L, R].every((list) => list.every(isElement))
  );
}

/** Packs proofs that are packable. */
export function packRangeProofs(proofs: readonly BulletproofPlusProof[]): Uint8Array {
  const sizes = proofs.map(
    ({ commitments, L, R }) => 8 + 32 * (6 + commitments.length + L.length + R.length),
  );
  const packer = new Packer(sizes.reduce((sum, size) => sum + size, 0));
  for (const { commitments, A, A1, B, r1, s1, d1, L, R } of proofs) {
    packer.number(commitments.length);
    packer.number(L.length);
    packer.elements([A, A1, B, r1, s1, d1]);
    packer.elements(commitments);
    packer.elements(L);
    packer.elements(R);
  }
  return packer.bytes;
}
