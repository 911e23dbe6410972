import { bytesEqual } from '@monero-node/codec';
import {
  addScalars,
  type CryptoBackend,
  multiplyScalars,
  unbiasedHashToPoint,
} from '@monero-node/crypto';
import type { Account } from '../keys/account.ts';
import type { CarrotAccount, CarrotBalanceAccount } from '../keys/carrot-account.ts';
import { G_BYTES, sumOf, T_BYTES, ZERO } from '../keys/points.ts';
import { carrotSubaddressScalars, subaddressSecret } from '../keys/subaddress.ts';
import type { FoundEnote } from './scan-enote.ts';

/** What the secrets of an output are made from. */
export interface OwnCarrotOutput extends Pick<FoundEnote, 'subaddress' | 'extension'> {
  /** The one-time address, 32 bytes. */
  readonly key: Uint8Array;
}

/** An account that makes key images. */
export type ImageAccount = Account | CarrotBalanceAccount;

/** The secrets of an output, scalars of 32 bytes: its one-time address is x·G + y·T. */
export interface CarrotOpening {
  /** Makes the key image. */
  readonly x: Uint8Array;
  readonly y: Uint8Array;
}

function isWhole(account: ImageAccount): account is Account | CarrotAccount {
  return 'spendSecret' in account || 'proveSpendSecret' in account;
}

/** Returns x of an output, a scalar of 32 bytes. Source: generate_carrot_key_image and its callers in src/carrot_core. */
function imageSecretOf(
  { subaddress, extension }: OwnCarrotOutput,
  account: ImageAccount,
  backend: CryptoBackend,
): Uint8Array {
  if ('imageSecret' in account) {
    const [scalar] = carrotSubaddressScalars(account, [subaddress], backend) as [Uint8Array];
    return addScalars(multiplyScalars(scalar, account.imageSecret), extension.g);
  }
  const address = subaddressSecret(account.viewSecret, subaddress);
  return addScalars(addScalars(account.spendSecret, address), extension.g);
}

/**
 * Returns the secrets with which an output is spent.
 * Throws RangeError when they are not those of the output.
 */
export function carrotOutputSecrets(
  output: OwnCarrotOutput,
  account: Account | CarrotAccount,
  backend: CryptoBackend,
): CarrotOpening {
  const x = imageSecretOf(output, account, backend);
  let y = output.extension.t;
  if ('proveSpendSecret' in account) {
    const [scalar] = carrotSubaddressScalars(account, [output.subaddress], backend) as [Uint8Array];
    y = addScalars(multiplyScalars(scalar, account.proveSpendSecret), y);
  }
  const key = sumOf({ a: x, A: G_BYTES, b: y, B: T_BYTES }, backend);
  if (!bytesEqual(key, output.key)) throw new RangeError('the secrets are not those of an output');
  return { x, y };
}

/**
 * Returns the key images of outputs, 32 bytes each: x·I, where I is the unbiased hash of the one-time address to a point.
 * Throws RangeError when the account has its spend secret and that is not the one of an output.
 */
export function carrotKeyImages(
  outputs: readonly OwnCarrotOutput[],
  account: ImageAccount,
  backend: CryptoBackend,
): Uint8Array[] {
  return outputs.map((output) => {
    const x = isWhole(account)
      ? carrotOutputSecrets(output, account, backend).x
      : imageSecretOf(output, account, backend);
    const A = unbiasedHashToPoint(output.key);
    return sumOf({ a: x, A, b: ZERO, B: G_BYTES }, backend);
  });
}
