import { fromHex, toHex } from '@monero-node/codec';
import { createReferenceBackend, toMontgomery } from '@monero-node/crypto';
import {
  carrotAccountFromMasterSecret,
  carrotAccountFromViewBalanceSecret,
} from '../keys/carrot-account.ts';
import { carrotHash } from '../keys/carrot-hashes.ts';
import { G_BYTES, ONE, sumOf, T_BYTES, ZERO } from '../keys/points.ts';
import { carrotSubaddressScalars, subaddressKeys } from '../keys/subaddress.ts';
import { carrotVectors } from '../testing/carrot-fixtures.ts';
import {
  carrotCommitmentMask,
  coinbaseExtensionOf,
  commitTo,
  contextSecret,
  cryptAnchor,
  cryptCarrotAmount,
  cryptCarrotPaymentId,
  ephemeralPublicKey,
  ephemeralSecret,
  type Extension,
  extensionOf,
  extensionPoint,
  sharedSecret,
  specialAnchor,
  viewTagOf,
} from './enote.ts';

const backend = createReferenceBackend();
const { inputs, vectors } = carrotVectors();
const input = (name: string) => fromHex(String(inputs[name]));
const at = { account: 5, index: 16 };
const amount = BigInt(String(inputs['amount']));
const account = carrotAccountFromMasterSecret(input('s_master'), backend);

/** Filled by each test of a part of the formulas; every name must be asked for once. */
const computed = new Map<string, string>();
const put = (name: string, bytes: Uint8Array) => computed.set(name, toHex(bytes));

const indexBytes = [Uint8Array.of(5, 0, 0, 0), Uint8Array.of(16, 0, 0, 0)];

function accountAnswers(): void {
  const { viewBalanceSecret, proveSpendSecret, imageSecret, viewSecret, spendKey } = account;
  const partial = sumOf({ a: proveSpendSecret, A: T_BYTES, b: ZERO, B: G_BYTES }, backend);
  const viewKey = sumOf({ a: viewSecret, A: spendKey, b: ZERO, B: G_BYTES }, backend);
  const first = carrotHash(32, account.addressSecret, 'addressIndexPreimage1', ...indexBytes);
  const keys = [spendKey, viewKey];
  put('k_prove_spend', proveSpendSecret);
  put('s_view_balance', viewBalanceSecret);
  put('partial_spend_pubkey', partial);
  put('s_generate_image_preimage', carrotHash(32, viewBalanceSecret, 'generateImagePreimage'));
  put('k_generate_image', imageSecret);
  put('k_view_incoming', viewSecret);
  put('s_generate_address', account.addressSecret);
  put('account_spend_pubkey', spendKey);
  put('account_view_pubkey', viewKey);
  put('address_index_preimage_1', first);
  put(
    'address_index_preimage_2',
    carrotHash(32, first, 'addressIndexPreimage2', ...indexBytes, ...keys),
  );
  put('subaddress_scalar', carrotSubaddressScalars(account, [at], backend)[0]!);
  const subaddress = subaddressKeys(account, at, backend);
  put('subaddress_spend_pubkey', subaddress.spendKey);
  put('subaddress_view_pubkey', subaddress.viewKey);
}

function outputAnswers(): void {
  const { spendKey } = subaddressKeys(account, at, backend);
  const [anchor, context, paymentId] = [
    input('anchor_norm'),
    input('input_context'),
    input('payment_id'),
  ];
  const d = ephemeralSecret(anchor, context, spendKey, paymentId);
  const toMain = ephemeralPublicKey(d, { spendKey, isSubaddress: false }, backend);
  const toSubaddress = ephemeralPublicKey(d, { spendKey, isSubaddress: true }, backend);
  const shared = sharedSecret(account.viewSecret, toSubaddress);
  const secret = contextSecret(shared, toSubaddress, context);
  const mask = carrotCommitmentMask(secret, amount, spendKey, 'payment');
  const commitment = commitTo(amount, mask, backend);
  const addressWith = (extension: Extension) =>
    sumOf({ a: ONE, A: spendKey, b: ONE, B: extensionPoint(extension, backend) }, backend);
  const onetimeAddress = addressWith(extensionOf(secret, commitment));
  put('enote_ephemeral_privkey', d);
  put('enote_ephemeral_pubkey_cryptonote', toMain);
  put('enote_ephemeral_pubkey_subaddress', toSubaddress);
  put('s_sender_receiver', shared);
  put('s_sender_receiver_ctx', secret);
  put('amount_blinding_factor_payment', mask);
  put('amount_blinding_factor_change', carrotCommitmentMask(secret, amount, spendKey, 'change'));
  put('amount_commitment', commitment);
  put('onetime_address_coinbase', addressWith(coinbaseExtensionOf(secret, amount, spendKey)));
  put('onetime_address', onetimeAddress);
  put('view_tag', viewTagOf(shared, context, onetimeAddress));
  put('anchor_encryption_mask', cryptAnchor(new Uint8Array(16), secret, onetimeAddress));
  put('amount_encryption_mask', cryptCarrotAmount(new Uint8Array(8), secret, onetimeAddress));
  put(
    'payment_id_encryption_mask',
    cryptCarrotPaymentId(new Uint8Array(8), secret, onetimeAddress),
  );
  const parts = { ephemeralPublicKey: toMain, inputContext: context, onetimeAddress };
  put('anchor_special', specialAnchor(account.viewSecret, parts));
}

accountAnswers();
outputAnswers();

test('all 29 are computed', () => {
  expect([...computed.keys()].sort()).toEqual(Object.keys(vectors).sort());
  expect(computed.size).toBe(29);
});

test.each(Object.entries(vectors))('%s', (name, hex) => {
  expect(computed.get(name)).toBe(hex);
});

test('the sender computes the same shared secret', () => {
  const { viewKey } = subaddressKeys(account, at, backend);
  const d = fromHex(vectors['enote_ephemeral_privkey']!);
  expect(toHex(sharedSecret(d, toMontgomery(viewKey)!))).toBe(vectors['s_sender_receiver']);
});

test('the view balance secret makes all keys but the one that spends', () => {
  const partial = fromHex(vectors['partial_spend_pubkey']!);
  const { proveSpendSecret, ...rest } = account;
  expect(proveSpendSecret).toHaveLength(32);
  expect(carrotAccountFromViewBalanceSecret(account.viewBalanceSecret, partial, backend)).toEqual(
    rest,
  );
});
