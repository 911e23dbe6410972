import { toHex } from '@monero-node/codec';
import { assertBytes } from '@monero-node/codec/bytes';
import { publicKeyOf } from '@monero-node/crypto';
import { G_BYTES, ONE, ZERO, type PointAdder } from './points.ts';

/**
 * Returns the public key of a secret one, 32 bytes. Throws RangeError which names the key, and never shows it, for one that is 0 or not
 * below l, and TypeError for anything but bytes.
 *
 * @param name of the key, for the message
 */
export function publicKeyOfNamed(secret: Uint8Array, name: string): Uint8Array {
  assertBytes(secret, name, 32);
  try {
    return publicKeyOf(secret);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`${name} is no secret key: it is 0, or not below l`, { cause });
  }
}

/**
 * Throws RangeError unless the keys of an account are a scalar and a point, and TypeError for anything but bytes. The message names the
 * function that was called, and the key.
 */
export function checkAccount(
  where: string,
  { viewSecret, spendKey }: Readonly<Record<'viewSecret' | 'spendKey', Uint8Array>>,
  backend: PointAdder,
): void {
  publicKeyOfNamed(viewSecret, `${where}: account.viewSecret`);
  const name = `${where}: account.spendKey`;
  assertBytes(spendKey, name, 32);
  const [point] = backend.addMultiples([{ a: ONE, A: spendKey, b: ZERO, B: G_BYTES }]);
  if (point === undefined)
    throw new RangeError(`${name} is no public key: ${toHex(spendKey)} is not a point`);
}
