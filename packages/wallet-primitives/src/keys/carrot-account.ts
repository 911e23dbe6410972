import { assertBytes } from '@monero-node/codec/bytes';
import type { CryptoBackend } from '@monero-node/crypto';
import type { Account, ViewAccount } from './account.ts';
import { carrotHash, carrotScalar } from './carrot-hashes.ts';
import { G_BYTES, ONE, sumOf, T_BYTES, ZERO } from './points.ts';

/**
 * The keys that find what others pay to an account of the Carrot hierarchy, and that make its addresses. They see no change
 * and no spending.
 */
export interface CarrotViewAccount extends ViewAccount {
  /** s_ga: makes subaddresses, 32 bytes. An account without it is of the old hierarchy. */
  readonly addressSecret: Uint8Array;
}

/** The keys that find all outputs of an account of the Carrot hierarchy, and see when they are spent. They cannot spend. */
export interface CarrotBalanceAccount extends CarrotViewAccount {
  /** s_vb, 32 bytes: finds what the account pays itself, and makes the view secret, the address secret and the image secret. */
  readonly viewBalanceSecret: Uint8Array;
  /** k_gi, a scalar of 32 bytes: makes key images. */
  readonly imageSecret: Uint8Array;
}

/** All keys of an account of the Carrot hierarchy. */
export interface CarrotAccount extends CarrotBalanceAccount {
  /** k_ps, a scalar of 32 bytes: together with the view balance secret it spends. */
  readonly proveSpendSecret: Uint8Array;
}

/** An account of either hierarchy, with more or fewer of its keys. Carrot outputs can be paid to all of them. */
export type AnyAccount =
  ViewAccount | Account | CarrotViewAccount | CarrotBalanceAccount | CarrotAccount;

/**
 * Returns the keys of a master secret, 32 bytes.
 * Throws RangeError for another size, and TypeError for anything but bytes.
 * Source: make_carrot_provespend_key and those after it in src/carrot_core/account_secrets.cpp.
 */
export function carrotAccountFromMasterSecret(
  masterSecret: Uint8Array,
  backend: CryptoBackend,
): CarrotAccount {
  assertBytes(masterSecret, 'masterSecret', 32);
  const proveSpendSecret = carrotScalar(masterSecret, 'proveSpendKey');
  const viewBalanceSecret = carrotHash(32, masterSecret, 'viewBalanceSecret');
  const partial = sumOf({ a: proveSpendSecret, A: T_BYTES, b: ZERO, B: G_BYTES }, backend);
  const account = carrotAccountFromViewBalanceSecret(viewBalanceSecret, partial, backend);
  return { ...account, proveSpendSecret };
}

/**
 * Returns the keys of a wallet that sees everything and cannot spend.
 *
 * @param viewBalanceSecret s_vb, 32 bytes
 * @param partialSpendKey K_ps = k_ps·T, 32 bytes
 *
 * Throws RangeError for another size or a key that is no point, and TypeError for anything but bytes.
 */
export function carrotAccountFromViewBalanceSecret(
  viewBalanceSecret: Uint8Array,
  partialSpendKey: Uint8Array,
  backend: CryptoBackend,
): CarrotBalanceAccount {
  assertBytes(viewBalanceSecret, 'viewBalanceSecret', 32);
  assertBytes(partialSpendKey, 'partialSpendKey', 32);
  const preimage = carrotHash(32, viewBalanceSecret, 'generateImagePreimage');
  const imageSecret = carrotScalar(preimage, 'generateImageKey', partialSpendKey);
  const viewSecret = carrotScalar(viewBalanceSecret, 'incomingViewKey');
  const addressSecret = carrotHash(32, viewBalanceSecret, 'generateAddressSecret');
  const spendKey = sumOf({ a: imageSecret, A: G_BYTES, b: ONE, B: partialSpendKey }, backend);
  return { viewSecret, spendKey, addressSecret, viewBalanceSecret, imageSecret };
}

/** Returns whether an account is of the Carrot hierarchy; otherwise it is of the old one. */
export function isCarrotAccount(account: AnyAccount): account is CarrotViewAccount {
  return 'addressSecret' in account;
}
