import { isElement } from '../proofs/shapes.ts';
import type { ClsagProof, RingPoint } from '../types.ts';
import {
  BYTE_STRING,
  type FieldReader,
  type FieldWriter,
  KEYS,
  type Layout,
  RING,
  record,
} from './layout.ts';

/** The members of a ring as whoever reads them from a chain has them: no member is an object. */
export interface RingBytes {
  readonly bytes: Uint8Array;
  /** Offset of the keys, 32 bytes each. The commitments follow in the same order, 32 bytes each. */
  readonly at: number;
  /** Number of members. */
  readonly size: number;
}

/** A CLSAG to be packed: its ring may be bytes already. */
export interface ClsagToPack extends Omit<ClsagProof, 'ring'> {
  readonly ring: RingBytes | readonly RingPoint[];
}

/** Bytes of a point or a scalar. */
const ELEMENT_SIZE = 32;
/** In place of the size of a ring: a signature follows whose parts have not the lengths that they must have. */
const MISSHAPEN = 0xffff_ffff;

/** A signature of any shape. A verifier answers false for all but one of them, and has to get each as it is. */
const ANY_SHAPE = record<ClsagProof>({
  message: BYTE_STRING,
  ring: RING,
  pseudoOut: BYTE_STRING,
  keyImage: BYTE_STRING,
  s: KEYS,
  c1: BYTE_STRING,
  D: BYTE_STRING,
});

/**
 * A CLSAG: the size n of its ring, and 5 + 3n elements of 32 bytes. Most of what is verified is these, and a length before each element
 * would take as much time as the element.
 */
export const CLSAG: Layout<ClsagProof, ClsagToPack> = {
  write: (writer, proof) => {
    const ring = isBytes(proof.ring) ? proof.ring : joined(proof.ring);
    if (ring !== undefined && fits(proof, ring)) writeShapely(writer, proof, ring);
    else {
      writer.number(MISSHAPEN);
      const points = isBytes(proof.ring) ? ringPoints(proof.ring) : proof.ring;
      ANY_SHAPE.write(writer, { ...proof, ring: points });
    }
  },
  read: (reader) => {
    const size = reader.number();
    return size === MISSHAPEN ? ANY_SHAPE.read(reader) : readShapely(reader, size);
  },
};

/** Returns the members of a ring, views of its bytes. */
export function ringPoints({ bytes, at, size }: RingBytes): RingPoint[] {
  const element = (i: number): Uint8Array =>
    bytes.subarray(at + ELEMENT_SIZE * i, at + ELEMENT_SIZE * (i + 1));
  return Array.from({ length: size }, (_, i) => ({
    key: element(i),
    commitment: element(size + i),
  }));
}

function isBytes(ring: ClsagToPack['ring']): ring is RingBytes {
  return 'at' in ring && !Array.isArray(ring);
}

/** Returns the ring as bytes; undefined when a part of a member has another length than 32. */
function joined(ring: readonly RingPoint[]): RingBytes | undefined {
  const size = ring.length;
  const bytes = new Uint8Array(2 * ELEMENT_SIZE * size);
  for (const [i, { key, commitment }] of ring.entries()) {
    if (!isElement(key) || !isElement(commitment)) return undefined;
    bytes.set(key, ELEMENT_SIZE * i);
    bytes.set(commitment, ELEMENT_SIZE * (size + i));
  }
  return { bytes, at: 0, size };
}

function fits({ message, pseudoOut, keyImage, D, c1, s }: ClsagToPack, ring: RingBytes): boolean {
  return (
    s.length === ring.size &&
    isElement(message) &&
    isElement(pseudoOut) &&
    isElement(keyImage) &&
    isElement(D) &&
    isElement(c1) &&
    s.every(isElement)
  );
}

function writeShapely(writer: FieldWriter, proof: ClsagToPack, ring: RingBytes): void {
  writer.number(ring.size);
  writer.element(proof.message);
  writer.element(proof.pseudoOut);
  writer.element(proof.keyImage);
  writer.element(proof.D);
  writer.element(proof.c1);
  writer.part(ring.bytes, ring.at, 2 * ELEMENT_SIZE * ring.size);
  for (const scalar of proof.s) writer.element(scalar);
}

function readShapely(reader: FieldReader, size: number): ClsagProof {
  const [message, pseudoOut, keyImage] = [reader.element(), reader.element(), reader.element()];
  const [D, c1] = [reader.element(), reader.element()];
  const ring = ringPoints({ bytes: reader.part(2 * ELEMENT_SIZE * size), at: 0, size });
  const s = Array.from({ length: size }, () => reader.element());
  return { message, ring, pseudoOut, keyImage, s, c1, D };
}
