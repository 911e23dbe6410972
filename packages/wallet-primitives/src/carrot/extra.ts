import { encodeTxExtra, parseTxExtra, type TxExtraField } from '@monero-node/codec';
import { assertBytes, concatBytes } from '@monero-node/codec/bytes';

/** What the extra bytes of a transaction say about its Carrot outputs. */
export interface CarrotExtra {
  /** D_e of each output, 32 bytes. */
  readonly ephemeralPublicKeys: readonly Uint8Array[];
  /** 8 bytes. */
  readonly encryptedPaymentId?: Uint8Array | undefined;
}

const KIND_ENCRYPTED_PAYMENT_ID = Uint8Array.of(1);

/**
 * Returns what the extra bytes say about the outputs of a transaction, or undefined if they have no ephemeral keys that fit: those of
 * a coinbase must be as many as its outputs, and other outputs may share the last one. A single key goes before a list.
 * Source: try_load_carrot_from_transaction_v1 and try_load_carrot_from_coinbase_transaction_v1 in src/carrot_impl/format_utils.cpp.
 */
export function readCarrotExtra(
  extra: Uint8Array,
  { outputs, isCoinbase }: { readonly outputs: number; readonly isCoinbase: boolean },
): CarrotExtra | undefined {
  const fields = parseTxExtra(extra);
  const keys = keysOf(fields);
  const fits = isCoinbase ? keys.length === outputs : keys.length <= outputs;
  const last = keys.at(-1);
  if (!fits || last === undefined) return undefined;
  const ephemeralPublicKeys = Array.from({ length: outputs }, (_, i) => keys[i] ?? last);
  const nonce = fields.find((field) => field.kind === 'nonce');
  return { ephemeralPublicKeys, encryptedPaymentId: nonce?.encryptedPaymentId };
}

function keysOf(fields: readonly TxExtraField[]): readonly Uint8Array[] {
  for (const field of fields) if (field.kind === 'public-key') return [field.key];
  for (const field of fields) if (field.kind === 'additional-public-keys') return field.keys;
  return [];
}

/**
 * Returns the extra bytes for the outputs of a transaction, in their order: one ephemeral key if there is one or two outputs share it, otherwise
 * one for each; then the encrypted payment id of 8 bytes, which a coinbase has not.
 * Throws RangeError for other sizes. Source: store_carrot_to_transaction_v1, same file.
 */
export function encodeCarrotExtra(
  ephemeralPublicKeys: readonly Uint8Array[],
  encryptedPaymentId?: Uint8Array,
): Uint8Array {
  const [first] = ephemeralPublicKeys;
  if (first === undefined) throw new RangeError('no outputs');
  const isShared =
    ephemeralPublicKeys.length <= 2 &&
    ephemeralPublicKeys.every((key) => key.every((byte, i) => byte === first[i]));
  const fields: TxExtraField[] = [
    isShared
      ? { kind: 'public-key', key: first }
      : { kind: 'additional-public-keys', keys: [...ephemeralPublicKeys] },
  ];
  if (encryptedPaymentId !== undefined) {
    assertBytes(encryptedPaymentId, 'encryptedPaymentId', 8);
    fields.push({
      kind: 'nonce',
      nonce: concatBytes(KIND_ENCRYPTED_PAYMENT_ID, encryptedPaymentId),
    });
  }
  return encodeTxExtra(fields);
}
