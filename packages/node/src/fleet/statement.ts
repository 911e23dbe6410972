import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { ChainTip } from './fleet-tip.ts';

/** Signed before the fields, so that the signature is good for nothing else. */
const PURPOSE = Buffer.from('monero-node fleet 1');
/** Where the fields begin: the key, the number of the statement, whether the node is ready, height, id and work of its newest block. */
const NUMBER_AT = 32;
const READY_AT = 40;
const HEIGHT_AT = 41;
const TOP_AT = 49;
const WORK_AT = 81;
const FIELDS_BYTES = 97;
const BYTES = FIELDS_BYTES + 64;
/** Characters of a statement as text: base64url without padding. */
const TEXT = /^[\w-]{215}$/;

/** What a node says of itself. */
export interface OwnFigures {
  readonly isReady: boolean;
  readonly tip: ChainTip;
}

/** What a node has said of itself, as any other node may repeat it. */
export interface Statement extends OwnFigures {
  /** The key that has signed it: 64 hex digits, the `instance_id` of `/health/ready`. */
  readonly id: string;
  /** Rises with each statement of a key. */
  readonly number: number;
  /** The signed statement, 215 characters of base64url. */
  readonly text: string;
}

/** Signs what this process says of itself, with an Ed25519 key that no other process has. */
export class Signer {
  /** The public key, 64 hex digits. */
  readonly id: string;
  readonly #key: KeyObject;
  #number = 0;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.#key = privateKey;
    this.id = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
  }

  /** Returns the next statement. Throws RangeError when the work takes more than 16 bytes. */
  sign({ isReady, tip }: OwnFigures): Statement {
    const number = ++this.#number;
    const bytes = Buffer.alloc(BYTES);
    bytes.write(this.id, 'hex');
    bytes.writeBigUInt64BE(BigInt(number), NUMBER_AT);
    bytes.writeUInt8(isReady ? 1 : 0, READY_AT);
    bytes.writeBigUInt64BE(BigInt(tip.height), HEIGHT_AT);
    bytes.write(tip.id, TOP_AT, 'hex');
    bytes.writeBigUInt64BE(tip.work >> 64n, WORK_AT);
    bytes.writeBigUInt64BE(BigInt.asUintN(64, tip.work), WORK_AT + 8);
    sign(null, signedPart(bytes), this.#key).copy(bytes, FIELDS_BYTES);
    return { id: this.id, number, isReady, tip, text: bytes.toString('base64url') };
  }
}

/**
 * Returns what a text states, without looking at the signature; undefined when it is no statement. Takes anything that a stranger
 * may send.
 */
export function readStatement(text: unknown): Statement | undefined {
  if (typeof text !== 'string' || !TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const ready = bytes.readUInt8(READY_AT);
  const number = Number(bytes.readBigUInt64BE(NUMBER_AT));
  const height = Number(bytes.readBigUInt64BE(HEIGHT_AT));
  if (ready > 1 || !Number.isSafeInteger(number) || !Number.isSafeInteger(height)) return undefined;
  const work = (bytes.readBigUInt64BE(WORK_AT) << 64n) | bytes.readBigUInt64BE(WORK_AT + 8);
  return {
    id: bytes.toString('hex', 0, NUMBER_AT),
    number,
    isReady: ready === 1,
    tip: { height, id: bytes.toString('hex', TOP_AT, WORK_AT), work },
    text,
  };
}

/** Returns whether the key that a statement names has signed it. Takes about a tenth of a millisecond. */
export function isSigned({ id, text }: Statement): boolean {
  const bytes = Buffer.from(text, 'base64url');
  const x = Buffer.from(id, 'hex').toString('base64url');
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, signedPart(bytes), key, bytes.subarray(FIELDS_BYTES));
  } catch {
    // The bytes are no point of the curve.
    return false;
  }
}

function signedPart(bytes: Buffer): Buffer {
  return Buffer.concat([PURPOSE, bytes.subarray(0, FIELDS_BYTES)]);
}
