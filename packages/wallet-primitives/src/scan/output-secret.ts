import { bytesEqual, encodeVarint } from '@monero-node/codec';
import { addScalars, type CryptoBackend, hashToScalarBytes } from '@monero-node/crypto';
import type { Account } from '../keys/account.ts';
import { G_BYTES, ZERO } from '../keys/points.ts';
import { subaddressSecret } from '../keys/subaddress.ts';
import type { FoundOutput } from './find-outputs.ts';

/** Returns Hs(derivation ‖ index), a scalar of 32 bytes. Source: derivation_to_scalar in src/crypto/crypto.cpp. */
export function outputScalar(derivation: Uint8Array, index: number): Uint8Array {
  return hashToScalarBytes(derivation, encodeVarint(index));
}

type OwnOutput = Pick<FoundOutput, 'derivation' | 'index' | 'key' | 'subaddress'>;
type Secrets = Pick<Account, 'spendSecret' | 'viewSecret'>;

/**
 * Returns the secret key of an output, a scalar of 32 bytes.
 * Source: generate_key_image_helper_precomp in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function outputSecret(
  { derivation, index, subaddress }: Omit<OwnOutput, 'key'>,
  { spendSecret, viewSecret }: Secrets,
): Uint8Array {
  const main = addScalars(outputScalar(derivation, index), spendSecret);
  return addScalars(main, subaddressSecret(viewSecret, subaddress));
}

/**
 * Returns the key images of outputs, 32 bytes each.
 * Throws RangeError when the spend key is not that of an output.
 */
export function outputKeyImages(
  outputs: readonly OwnOutput[],
  secrets: Secrets,
  backend: CryptoBackend,
): Uint8Array[] {
  const keys = outputs.map((output) => outputSecret(output, secrets));
  const publicKeys = backend.addMultiples(
    keys.map((a) => ({ a, A: G_BYTES, b: ZERO, B: G_BYTES })),
  );
  const images = backend.addMultiples(
    outputs.map(({ key }, i) => {
      return { a: keys[i] as Uint8Array, A: backend.hashToPoint(key), b: ZERO, B: G_BYTES };
    }),
  );
  return outputs.map(({ key }, i) => {
    const [publicKey, image] = [publicKeys[i], images[i]];
    if (publicKey === undefined || image === undefined || !bytesEqual(publicKey, key)) {
      throw new RangeError('the spend key is not that of the output');
    }
    return image;
  });
}
