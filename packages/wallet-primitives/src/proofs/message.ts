import { checkOptions, NEEDED, type OptionTable } from '@monero-node/base/options';
import { type Address, concatBytes, encodeVarint } from '@monero-node/codec';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import { isSignature, SIGNATURE_SIZE } from './schnorr.ts';
import { readBase58, readHeader } from './text.ts';

/** "MoneroMessageSignature" with its terminating zero. Source: HASH_KEY_MESSAGE_SIGNING in src/cryptonote_config.h. */
const DOMAIN = new TextEncoder().encode('MoneroMessageSignature\0');

/** The keys that can sign, in the order in which they are tried. */
const KEYS = ['spend', 'view'] as const;

/** The contents of a good signature. */
export interface MessageSignature {
  readonly version: 1 | 2;
  /** Version 1 does not say which of its keys was meant: its hash holds the message alone. */
  readonly signedWith: 'spend' | 'view';
}

/** What {@link checkMessageSignature} checks. */
export interface MessageSignatureOptions {
  /** Text, which counts in UTF-8, or bytes. */
  readonly message: string | Uint8Array;
  readonly address: Pick<Address, 'spendKey' | 'viewKey'>;
  /** `SigV1…` or `SigV2…`. */
  readonly signature: string;
  readonly backend: CryptoBackend;
}

const OPTIONS: OptionTable<MessageSignatureOptions> = {
  message: NEEDED,
  address: NEEDED,
  signature: NEEDED,
  backend: NEEDED,
};

/**
 * Returns what the signature of a message, `SigV1…` or `SigV2…`, says about an address, or undefined if neither key of
 * the address made it.
 *
 * Throws ProofError for a malformed signature, and OptionError for a missing or an unknown option.
 * Source: verify in src/wallet/wallet2.cpp.
 */
export function checkMessageSignature(
  options: MessageSignatureOptions,
): MessageSignature | undefined {
  checkOptions('checkMessageSignature', options, OPTIONS);
  const { message, address, signature, backend } = options;
  const { header, rest } = readHeader(signature, ['SigV1', 'SigV2']);
  const bytes = readBase58(rest, SIGNATURE_SIZE);
  const data = typeof message === 'string' ? new TextEncoder().encode(message) : message;
  const { spendKey, viewKey } = address;
  for (const [mode, signedWith] of KEYS.entries()) {
    const hash =
      header === 'SigV1'
        ? keccak256(data)
        : keccak256(
            concatBytes(
              ...[DOMAIN, spendKey, viewKey, Uint8Array.of(mode)],
              ...[encodeVarint(data.length), data],
            ),
          );
    const key = signedWith === 'spend' ? spendKey : viewKey;
    if (isSignature({ hash, key, signature: bytes }, backend)) {
      return { version: header === 'SigV1' ? 1 : 2, signedWith };
    }
  }
  return undefined;
}
