import {
  DecodeError,
  encodeTxExtra,
  fromHex,
  type ParsedTransaction,
  parseTxExtra,
  toHex,
  type Transaction,
  type TxOutput,
} from '@monero-node/codec';
import {
  type AddressKeys,
  BACKEND_CHOICES,
  createBackend,
  createTransactionKey,
  type CryptoBackend,
  oneTimeOutput,
  type TransactionKey,
} from '@monero-node/crypto';
import { encodeScalar } from '@monero-node/crypto/testing';
import { accountFromSeed } from '../keys/account.ts';
import { IDENTITY, ZERO } from '../keys/points.ts';
import { subaddressKeys } from '../keys/subaddress.ts';
import { decodeSeed } from '../seed/seed.ts';
import { blocksOf, type RecordedOutput, recordedWallet } from '../testing/fixtures.ts';
import type { ScannableBlock } from './scan-source.ts';
import { english } from '../words/english.ts';
import { type ScannedOutput, Scanner } from './scan.ts';
import { cryptPaymentId } from './payment-id.ts';
import { transactionKeys } from './transaction-keys.ts';

const { words, transactions, outputs, proofs } = recordedWallet();
const account = accountFromSeed(decodeSeed(words, [english]).secret);
const payee = accountFromSeed(decodeSeed(proofs.words, [english]).secret);
const backend = createBackend();

function backends(): CryptoBackend[] {
  return BACKEND_CHOICES.flatMap((name) => {
    try {
      return [createBackend(name)];
    } catch {
      return [];
    }
  });
}

/** Enough for the recorded outputs; larger tables take time to make. */
const LOOKAHEAD = { lookahead: { accounts: 4, addresses: 8 } };

const byKey = (a: RecordedOutput, b: RecordedOutput) => (a.key < b.key ? -1 : 1);

function report(transaction: ParsedTransaction, output: ScannedOutput): RecordedOutput {
  return {
    txId: toHex(transaction.id),
    key: toHex(output.key),
    amount: String(output.amount),
    subaddress: { major: output.subaddress.account, minor: output.subaddress.index },
    keyImage: toHex(output.keyImage as Uint8Array),
  };
}

function scan(scanner: Scanner, list = transactions): RecordedOutput[] {
  return scanner
    .scan(list)
    .flatMap((result) => result.outputs.map((output) => report(result.transaction, output)))
    .sort(byKey);
}

/** Returns the transaction with other parts. */
function changed(transaction: ParsedTransaction, tx: Partial<Transaction>): ParsedTransaction {
  return { ...transaction, id: transaction.id, tx: { ...transaction.tx, ...tx } };
}

/** A payment to the account without additional keys. */
const payment = transactions.find(
  ({ tx }) => tx.rct?.type === 6 && transactionKeys(tx).additionalKeys.length === 0,
) as ParsedTransaction;

test('finds what monero-wallet-rpc found, with every backend', () => {
  expect(outputs.length).toBeGreaterThan(35);
  for (const each of backends()) {
    expect(scan(new Scanner({ ...LOOKAHEAD, account, backend: each }))).toEqual(
      [...outputs].sort(byKey),
    );
    expect(scan(new Scanner({ ...LOOKAHEAD, account: payee, backend: each }))).toEqual(
      [...proofs.outputs].sort(byKey),
    );
  }
});

test('finds the same one transaction at a time, in any order', () => {
  const scanner = new Scanner({ ...LOOKAHEAD, account, backend });
  const found = [...transactions].reverse().flatMap((transaction) => scan(scanner, [transaction]));
  expect(found.sort(byKey)).toEqual([...outputs].sort(byKey));
});

test('the recorded transactions have coinbases, payment ids, additional keys and subaddresses', () => {
  const results = new Scanner({ ...LOOKAHEAD, account, backend }).scan(transactions);
  expect(results.some(({ isCoinbase, outputs }) => isCoinbase && outputs.length > 0)).toBe(true);
  const all = results.flatMap(({ outputs }) => outputs);
  expect(all.some(({ publicKey }) => publicKey === 'additional')).toBe(true);
  expect(new Set(all.map(({ subaddress }) => subaddress.account)).size).toBeGreaterThan(2);
  const ids = results.map(({ paymentId }) => paymentId && toHex(paymentId.id));
  expect(ids.some((id) => id !== undefined && id !== '0'.repeat(16))).toBe(true);
});

test('without the spend key it finds the same, but no key images', () => {
  const { viewSecret, spendKey } = account;
  const results = new Scanner({ ...LOOKAHEAD, account: { viewSecret, spendKey }, backend }).scan(
    transactions,
  );
  const found = results.flatMap(({ outputs }) => outputs);
  expect(found.map(({ key }) => toHex(key)).sort()).toEqual(outputs.map(({ key }) => key).sort());
  expect(found.some((output) => output.keyImage !== undefined)).toBe(false);
});

test('decrypts the payment id with which the wallet was paid', () => {
  const results = new Scanner({ ...LOOKAHEAD, account, backend }).scan(transactions);
  const ids = results.map(({ paymentId }) => paymentId);
  expect(ids).toContainEqual({ kind: 'short', id: fromHex('00000000000000ff') });
});

test('a long payment id is returned unchanged', () => {
  const paymentId = new Uint8Array(32).fill(7);
  const nonce = Uint8Array.of(0, ...paymentId);
  const keys = parseTxExtra(payment.tx.extra).filter(({ kind }) => kind !== 'nonce');
  const extra = encodeTxExtra([...keys, { kind: 'nonce', nonce }]);
  const [result] = new Scanner({ ...LOOKAHEAD, account, backend }).scan([
    changed(payment, { extra }),
  ]);
  expect(result?.paymentId).toEqual({ kind: 'long', id: paymentId });
});

test('refuses an amount that does not fit its commitment', () => {
  const { rct } = payment.tx;
  if (rct === undefined) throw new Error('no RingCT part');
  const ecdhInfo = rct.ecdhInfo.map(({ amount }) => ({ amount: amount.map((byte) => byte ^ 1) }));
  const other = changed(payment, { rct: { ...rct, ecdhInfo } });
  expect(scan(new Scanner({ ...LOOKAHEAD, account, backend }), [payment]).length).toBeGreaterThan(
    0,
  );
  expect(scan(new Scanner({ ...LOOKAHEAD, account, backend }), [other])).toEqual([]);
  const missing = changed(payment, { rct: { ...rct, ecdhInfo: [], outPk: [] } });
  expect(scan(new Scanner({ ...LOOKAHEAD, account, backend }), [missing])).toEqual([]);
});

test('an output whose view tag differs is not looked at', () => {
  const tags = payment.tx.outputs.map((output) => {
    const { target } = output;
    if (target.kind !== 'tagged-key') throw new Error('no view tag');
    return { ...output, target: { ...target, viewTag: target.viewTag ^ 1 } };
  });
  expect(
    scan(new Scanner({ ...LOOKAHEAD, account, backend }), [changed(payment, { outputs: tags })]),
  ).toEqual([]);
  const untagged = payment.tx.outputs.map((output) => {
    const { key } = output.target as { key: Uint8Array };
    return { ...output, target: { kind: 'key' as const, key } };
  });
  expect(
    scan(new Scanner({ ...LOOKAHEAD, account, backend }), [
      changed(payment, { outputs: untagged }),
    ]),
  ).toEqual(scan(new Scanner({ ...LOOKAHEAD, account, backend }), [payment]));
});

describe('public keys in extra', () => {
  const { publicKeys } = transactionKeys(payment.tx);
  const [key] = publicKeys as [Uint8Array];
  const field = (bytes: Uint8Array) => ({ kind: 'public-key' as const, key: bytes });
  const found = scan(new Scanner({ ...LOOKAHEAD, account, backend }), [payment]);
  const with_ = (extra: Uint8Array) =>
    new Scanner({ ...LOOKAHEAD, account, backend }).scan([changed(payment, { extra })])[0]
      ?.outputs ?? [];

  test('a later key counts if the first one fits no output', () => {
    const extra = encodeTxExtra([field(fromHex(`58${'66'.repeat(31)}`)), field(key)]);
    const outputsFound = with_(extra);
    expect(outputsFound.map((output) => report(payment, output)).sort(byKey)).toEqual(found);
    expect(outputsFound.every(({ publicKey }) => publicKey === 1)).toBe(true);
  });

  test('a key that is not a point counts as the identity and keeps later ones', () => {
    const extra = encodeTxExtra([field(new Uint8Array(32).fill(255)), field(key)]);
    expect(with_(extra)).toHaveLength(found.length);
  });

  test('bytes that cannot be read end the list', () => {
    const good = encodeTxExtra([field(key)]);
    expect(with_(Uint8Array.of(...good, 0x77, 1, 2))).toHaveLength(found.length);
    expect(with_(Uint8Array.of(0x77, ...good))).toEqual([]);
    expect(with_(new Uint8Array(0))).toEqual([]);
  });

  test('too few additional keys leave outputs to the first key', () => {
    const keys = [IDENTITY];
    const extra = encodeTxExtra([field(key), { kind: 'additional-public-keys', keys }]);
    expect(with_(extra)).toHaveLength(found.length);
  });
});

describe('several public keys', () => {
  const [first, second] = [createTransactionKey(41n), createTransactionKey(42n)];
  const [near, far] = [
    { account: 0, index: 2 },
    { account: 0, index: 4 },
  ].map((at) => subaddressKeys(account, at, backend)) as [AddressKeys, AddressKeys];
  const field = (key: Uint8Array) => ({ kind: 'public-key' as const, key });
  const clear = (amount: bigint, key: Uint8Array): TxOutput => ({
    amount,
    target: { kind: 'key', key },
  });
  const keyFor = (secret: TransactionKey, to: AddressKeys, index: number) =>
    oneTimeOutput(secret, to, index)?.key as Uint8Array;
  const lookahead = { accounts: 1, addresses: 3 };

  test('an address found by the second key extends the table for the transactions that follow', () => {
    // Subaddresses take R = r·D for the recipient's spend key D.
    const pay = (to: AddressKeys, keys: readonly Uint8Array[], amount: bigint) => {
      const own = createTransactionKey(43n + amount);
      const [publicKey] = backend.addMultiples([
        { a: encodeScalar(own.secret), A: to.spendKey, b: ZERO, B: to.spendKey },
      ]) as [Uint8Array];
      const extra = encodeTxExtra([...keys, publicKey].map(field));
      const outputs = [clear(amount, keyFor(own, to, 0))];
      return changed(payment, { version: 1, extra, outputs });
    };
    const list = [pay(near, [first.publicKey], 1n), pay(far, [], 2n)];
    const found = new Scanner({ account, backend, lookahead }).scan(list);
    expect(found.map(({ outputs }) => outputs.map(({ amount }) => amount))).toEqual([[1n], [2n]]);
  });

  test('a Carrot output whose key was made by the old rule is not found: it would never look spent', () => {
    const key = keyFor(first, account, 0);
    const own = changed(payment, {
      version: 1,
      extra: encodeTxExtra([field(first.publicKey)]),
      outputs: [clear(1n, key)],
    });
    const target = {
      kind: 'carrot' as const,
      key,
      viewTag: new Uint8Array(3),
      encryptedJanusAnchor: new Uint8Array(16),
    };
    const carrot = changed(own, { outputs: [{ amount: 1n, target }] });
    const scanner = new Scanner({ account, backend, lookahead });
    const found = scanner.scan([own, carrot]);
    expect(found.map(({ outputs }) => outputs.length)).toEqual([1, 0]);
  });

  test('the rest of a version 1 coinbase is tried with the key that fits its first output, and no other', () => {
    const outputs = [
      clear(1n, keyFor(first, account, 0)),
      clear(2n, keyFor(first, account, 1)),
      clear(3n, keyFor(second, account, 2)),
    ];
    const gen = [{ kind: 'gen' as const, height: 1 }];
    const extra = encodeTxExtra([field(first.publicKey), field(second.publicKey)]);
    const coinbase = changed(payment, { version: 1, inputs: gen, extra, outputs });
    const amounts = (mode: 'full' | 'optimize-coinbase') =>
      new Scanner({ account, backend, lookahead, coinbase: mode })
        .scan([coinbase])[0]
        ?.outputs.map(({ amount }) => amount);
    expect(amounts('full')).toEqual([1n, 2n, 3n]);
    expect(amounts('optimize-coinbase')).toEqual([1n, 2n]);
  });

  test('a payment id is decrypted with the key whose outputs were found', () => {
    const id = fromHex('0011223344556677');
    const [derivation] = backend.keyDerivations(account.viewSecret, [second.publicKey]);
    const nonce = Uint8Array.of(1, ...cryptPaymentId(id, derivation as Uint8Array));
    const outputs = [clear(5n, keyFor(second, account, 0))];
    const keys = [first.publicKey, second.publicKey, createTransactionKey(9n).publicKey];
    const extra = encodeTxExtra([...keys.map(field), { kind: 'nonce', nonce }]);
    const paid = changed(payment, { version: 1, extra, outputs });
    const [result] = new Scanner({ account, backend, lookahead }).scan([paid]);
    expect(result?.paymentId).toEqual({ kind: 'short', id });
  });
});

describe('blocks', () => {
  const coinbases = transactions.filter(({ tx }) => tx.inputs[0]?.kind === 'gen');
  const others = transactions.filter(({ tx }) => tx.inputs[0]?.kind !== 'gen');
  const blocks = blocksOf(transactions);

  test('hold what their transactions hold', () => {
    expect(coinbases.length).toBeGreaterThan(1);
    for (const each of backends()) {
      const scanner = new Scanner({ ...LOOKAHEAD, account, backend: each });
      const results = scanner.scanBlocks(blocks);
      const all = results.flatMap(({ transaction, outputs: found }) =>
        found.map((output) => report(transaction, output)),
      );
      expect(all.sort(byKey)).toEqual([...outputs].sort(byKey));
      for (const { blockIndex, transactionIndex, transaction } of results) {
        const list = [coinbases[blockIndex], ...(blockIndex === 1 ? others : [])];
        expect(list[transactionIndex]?.id).toEqual(transaction.id);
      }
    }
  });

  test('are refused when they are cut off', () => {
    const scanner = new Scanner({ ...LOOKAHEAD, account, backend });
    const [first] = blocks as [ScannableBlock];
    const block = first.block.subarray(0, 60);
    expect(() => scanner.scanBlocks([{ ...first, block }])).toThrow(DecodeError);
    expect(scanner.scanBlocks([])).toEqual([]);
  });
});

describe('coinbases', () => {
  const coinbase = transactions.find(({ tx }) => tx.inputs[0]?.kind === 'gen') as ParsedTransaction;
  const [output] = coinbase.tx.outputs;
  if (output === undefined) throw new Error('a coinbase without outputs');
  const count = (tx: Partial<Transaction>, mode: 'full' | 'optimize-coinbase' | 'no-coinbase') =>
    new Scanner({ ...LOOKAHEAD, account, backend, coinbase: mode }).scan([changed(coinbase, tx)])[0]
      ?.outputs.length;

  test('are left out on demand', () => {
    expect(count({}, 'full')).toBe(1);
    expect(count({}, 'optimize-coinbase')).toBe(1);
    expect(count({}, 'no-coinbase')).toBe(0);
  });

  test('have a mask of 1', () => {
    const found = new Scanner({ ...LOOKAHEAD, account, backend }).scan([coinbase])[0]?.outputs[0];
    expect(found).toMatchObject({ index: 0, isRct: true, mask: IDENTITY });
  });

  test('of version 1 whose first output is not ours are left out, unless all are wanted', () => {
    const key = createTransactionKey(77n);
    const pay = (index: number, to: AddressKeys): TxOutput => ({
      amount: 5n,
      target: { kind: 'key', key: oneTimeOutput(key, to, index)?.key as Uint8Array },
    });
    const extra = encodeTxExtra([{ kind: 'public-key', key: key.publicKey }]);
    const make = (version: 1 | 2, recipients: readonly AddressKeys[]) => ({
      version,
      extra,
      outputs: recipients.map((to, index) => pay(index, to)),
    });
    for (const mode of ['full', 'optimize-coinbase'] as const) {
      expect(count(make(1, [account, payee, account]), mode)).toBe(2);
      expect(count(make(2, [payee, account]), mode)).toBe(1);
    }
    expect(count(make(1, [payee, account]), 'full')).toBe(1);
    expect(count(make(1, [payee, account]), 'optimize-coinbase')).toBe(0);
  });

  test('with an amount of zero bring nothing', () => {
    expect(count({ outputs: [{ ...output, amount: 0n }] }, 'full')).toBe(0);
  });
});

test('an encrypted payment id is decrypted by encrypting it again', () => {
  const derivation = new Uint8Array(32).fill(3);
  const id = fromHex('0011223344556677');
  expect(cryptPaymentId(cryptPaymentId(id, derivation), derivation)).toEqual(id);
});

test('refuses a spend key that is not that of the outputs', () => {
  const mixed = { ...account, spendSecret: payee.spendSecret };
  expect(() => new Scanner({ ...LOOKAHEAD, account: mixed, backend }).scan(transactions)).toThrow(
    RangeError,
  );
});
