import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import { varintSize } from '../varint.ts';

/**
 * A field of a transaction's extra bytes. No rule of consensus looks at them.
 * Source: src/cryptonote_basic/tx_extra.h.
 */
export type TxExtraField =
  /** `size` counts the tag as well: 1 … 255. */
  | { kind: 'padding'; size: number }
  | { kind: 'public-key'; key: Uint8Array }
  /** At most 255 bytes; one that has the form of a payment id (32 bytes) or an encrypted one (8 bytes) is given as that too. */
  | {
      kind: 'nonce';
      nonce: Uint8Array;
      paymentId?: Uint8Array;
      encryptedPaymentId?: Uint8Array;
    }
  | { kind: 'merge-mining'; depth: bigint; merkleRoot: Uint8Array }
  /** One key for each output. */
  | { kind: 'additional-public-keys'; keys: Uint8Array[] }
  | { kind: 'minergate'; data: Uint8Array };

const TAG = {
  padding: 0x00,
  publicKey: 0x01,
  nonce: 0x02,
  mergeMining: 0x03,
  additionalPublicKeys: 0x04,
  minergate: 0xde,
} as const;
const NONCE_PAYMENT_ID = 0x00;
const NONCE_ENCRYPTED_PAYMENT_ID = 0x01;
const MAX_PADDING_SIZE = 255;
const MAX_NONCE_SIZE = 255;

/**
 * Returns the fields of `extra` in order, up to the first that is unknown or malformed. Never throws. Byte
 * fields are views of `extra`.
 */
export function parseTxExtra(extra: Uint8Array): TxExtraField[] {
  const reader = new ByteReader(extra);
  const fields: TxExtraField[] = [];
  while (reader.remaining > 0) {
    try {
      fields.push(readField(reader));
    } catch (error) {
      if (error instanceof DecodeError) return fields;
      throw error;
    }
  }
  return fields;
}

/** Returns the extra bytes with these fields in this order. Throws RangeError for a key that does not have 32 bytes. */
export function encodeTxExtra(fields: readonly TxExtraField[]): Uint8Array {
  const writer = new ByteWriter(64);
  for (const field of fields) writeField(writer, field);
  return writer.toBytes();
}

function writeField(writer: ByteWriter, field: TxExtraField): void {
  switch (field.kind) {
    case 'padding':
      writer.bytes(new Uint8Array(field.size));
      return;
    case 'public-key':
      writer.u8(TAG.publicKey).key(field.key);
      return;
    case 'nonce':
      writer.u8(TAG.nonce).varint(field.nonce.length).bytes(field.nonce);
      return;
    case 'merge-mining':
      writer.u8(TAG.mergeMining).varint(varintSize(field.depth) + 32);
      writer.varint(field.depth).key(field.merkleRoot);
      return;
    case 'additional-public-keys':
      writer.u8(TAG.additionalPublicKeys).varint(field.keys.length).keys(field.keys);
      return;
    case 'minergate':
      writer.u8(TAG.minergate).varint(field.data.length).bytes(field.data);
      return;
  }
}

function readField(reader: ByteReader): TxExtraField {
  const tag = reader.u8();
  switch (tag) {
    case TAG.padding:
      return readPadding(reader);
    case TAG.publicKey:
      return { kind: 'public-key', key: reader.bytes(32) };
    case TAG.nonce:
      return readNonce(reader);
    case TAG.mergeMining:
      return readMergeMining(reader.bytes(reader.count(1)));
    case TAG.additionalPublicKeys:
      return { kind: 'additional-public-keys', keys: reader.keys(reader.count(32)) };
    case TAG.minergate:
      return { kind: 'minergate', data: reader.bytes(reader.count(1)) };
    default:
      throw new DecodeError(`unknown extra tag ${tag}`, reader.offset - 1);
  }
}

/** Reads zeros up to the end of the extra bytes. */
function readPadding(reader: ByteReader): TxExtraField {
  const zeros = reader.bytes(reader.remaining);
  if (zeros.length + 1 > MAX_PADDING_SIZE || zeros.some((byte) => byte !== 0)) {
    throw new DecodeError('bad padding', reader.offset);
  }
  return { kind: 'padding', size: zeros.length + 1 };
}

function readNonce(reader: ByteReader): TxExtraField {
  const nonce = reader.bytes(reader.count(1));
  if (nonce.length > MAX_NONCE_SIZE) throw new DecodeError('nonce too long', reader.offset);
  if (nonce.length === 33 && nonce[0] === NONCE_PAYMENT_ID) {
    return { kind: 'nonce', nonce, paymentId: nonce.subarray(1) };
  }
  if (nonce.length === 9 && nonce[0] === NONCE_ENCRYPTED_PAYMENT_ID) {
    return { kind: 'nonce', nonce, encryptedPaymentId: nonce.subarray(1) };
  }
  return { kind: 'nonce', nonce };
}

function readMergeMining(bytes: Uint8Array): TxExtraField {
  const reader = new ByteReader(bytes);
  const depth = reader.varint();
  const merkleRoot = reader.bytes(32);
  reader.end();
  return { kind: 'merge-mining', depth, merkleRoot };
}
