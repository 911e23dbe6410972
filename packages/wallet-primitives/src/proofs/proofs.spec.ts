import { fromHex, parseAddress, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';
import { accountFromSeed } from '../keys/account.ts';
import { subaddressKeys, subaddressSecret } from '../keys/subaddress.ts';
import { transactionKeys } from '../scan/transaction-keys.ts';
import { decodeSeed } from '../seed/seed.ts';
import { recordedWallet } from '../testing/fixtures.ts';
import { proveV1, signMessageV1 } from '../testing/sign.ts';
import { english } from '../words/english.ts';
import { checkMessageSignature } from './message.ts';
import { checkPaymentProof } from './payment.ts';
import { checkReserveProof, readReserveProof } from './reserve.ts';
import { checkSpendProof } from './spend.ts';
import { proofHash } from './text.ts';

const PICONERO = 1_000_000_000_000n;
const backend = createBackend();
const { proofs, transactions } = recordedWallet();
const { message } = proofs;
const transaction = transactions.find(({ id }) => toHex(id) === proofs.txid);
if (transaction === undefined) throw new Error('the payment is not recorded');
const main = parseAddress(proofs.main);
const subaddress = parseAddress(proofs.subaddress);
const account = accountFromSeed(decodeSeed(proofs.words, [english]).secret);

/** Returns the text with one character exchanged by another one of base58. */
function change(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === '3' ? '4' : '3') + text.slice(at + 1);
}

function isRefused(check: () => unknown): boolean {
  try {
    const result = check();
    return result === undefined || result === false;
  } catch (error) {
    if (error instanceof ProofError) return true;
    throw error;
  }
}

describe('payments', () => {
  const check = (signature: string, options: Partial<Parameters<typeof checkPaymentProof>[0]>) =>
    checkPaymentProof({ transaction, address: main, message, backend, ...options, signature });

  test.each([
    ['payer, main address', proofs.outMain, main, PICONERO],
    ['payer, subaddress', proofs.outSubaddress, subaddress, 2n * PICONERO],
    ['recipient, main address', proofs.inMain, main, PICONERO],
    ['recipient, subaddress', proofs.inSubaddress, subaddress, 2n * PICONERO],
  ])('proofs of the %s', (_, signature, address, amount) => {
    expect(check(signature, { address })).toBe(amount);
    expect(check(signature, { address, message: '' })).toBeUndefined();
    const other = address === main ? subaddress : main;
    expect(isRefused(() => check(signature, { address: other }))).toBe(true);
    const version1 = signature.replace('ProofV2', 'ProofV1');
    expect(check(version1, { address })).toBeUndefined();
    expect(isRefused(() => check(`${signature}1`, { address }))).toBe(true);
  });

  test('prove nothing of Carrot outputs, whose keys are made by another rule', () => {
    const outputs = transaction.tx.outputs.map(({ amount, target }) => ({
      amount,
      target: {
        kind: 'carrot' as const,
        key: 'key' in target ? target.key : new Uint8Array(32),
        viewTag: new Uint8Array(3),
        encryptedJanusAnchor: new Uint8Array(16),
      },
    }));
    const { id } = transaction;
    const changed = { ...transaction, id, tx: { ...transaction.tx, outputs } };
    expect(check(proofs.outMain, { transaction: changed })).toBe(0n);
  });

  test('of one of several public keys prove what they can', () => {
    const size = 44 + 88;
    const header = 'OutProofV2'.length;
    const keys = (proofs.outMain.length - header) / size;
    expect(keys).toBe(1 + transaction.tx.outputs.length);
    const good = Array.from({ length: keys }, (_, i) => {
      // Changes all signatures but one.
      let text = proofs.outMain;
      for (let k = 0; k < keys; k++) {
        if (k !== i) text = change(text, header + k * size + 44 + 50);
      }
      return check(text, {});
    });
    expect(good.filter((amount) => amount === PICONERO)).toHaveLength(1);
    // The secret behind the key of a subaddress's output is not proven to the main address.
    expect(good.filter((amount) => amount === undefined)).toHaveLength(1);
    expect(good.filter((amount) => amount === 0n)).toHaveLength(keys - 2);
  });

  test('of version 1 are accepted from the recipient', () => {
    const { publicKeys, additionalKeys } = transactionKeys(transaction.tx);
    const hash = proofHash(transaction.id, message);
    const secret = account.viewSecret;
    const parts = [...publicKeys.slice(0, 1), ...additionalKeys].map((A) =>
      proveV1({ hash, secret, A }, backend),
    );
    const signature = `InProofV1${parts.join('')}`;
    expect(check(signature, {})).toBe(PICONERO);
    expect(check(signature, { message: '' })).toBeUndefined();
    expect(check(signature.replace('V1', 'V2'), {})).toBeUndefined();
    const { spendKey } = subaddressKeys(account, { account: 0, index: 1 }, backend);
    const forSubaddress = [...publicKeys.slice(0, 1), ...additionalKeys].map((A) =>
      proveV1({ hash, secret, A, B: spendKey }, backend),
    );
    const other = `InProofV1${forSubaddress.join('')}`;
    expect(check(other, { address: subaddress })).toBe(2n * PICONERO);
  });

  test.each(['', 'OutProofV3', 'InProof', 'SigV2', 'OutProofV20'.padEnd(143, '0')])(
    'malformed: %s',
    (signature) => {
      expect(() => check(signature, {})).toThrow(ProofError);
    },
  );

  test('need a transaction with a public key and an id', () => {
    const without = { ...transaction, tx: transaction.tx, id: new Uint8Array(32) };
    expect(() => check(proofs.outMain, { transaction: without })).toThrow(ProofError);
    const bare = {
      ...transaction,
      id: transaction.id,
      tx: { ...transaction.tx, extra: new Uint8Array(0) },
    };
    expect(() => check(proofs.outMain, { transaction: bare })).toThrow(ProofError);
  });
});

describe('spends', () => {
  const rings = proofs.rings.map((ring) => ring.map(fromHex));
  const options = { transaction, rings, message, signature: proofs.spend, backend };

  test('are proven by the spender', () => {
    expect(checkSpendProof(options)).toBe(true);
    expect(checkSpendProof({ ...options, message: 'other' })).toBe(false);
    expect(checkSpendProof({ ...options, signature: `${proofs.spend}1` })).toBe(false);
    expect(checkSpendProof({ ...options, signature: change(proofs.spend, 60) })).toBe(false);
  });

  test('need a transaction that spends something', () => {
    const inputs = [{ kind: 'gen' as const, height: 1 }];
    const { id, tx } = transaction;
    const coinbase = { ...transaction, id, tx: { ...tx, inputs } };
    const bare = { ...options, transaction: coinbase, rings: [], signature: 'SpendProofV1' };
    expect(() => checkSpendProof(bare)).toThrow('the transaction spends no outputs');
  });

  test('need the rings of the transaction', () => {
    const [first] = rings as [Uint8Array[]];
    for (const other of [[], [...rings, first], [first.slice(1), ...rings.slice(1)]]) {
      expect(() => checkSpendProof({ ...options, rings: other })).toThrow(ProofError);
    }
    const reversed = [[...first].reverse(), ...rings.slice(1)];
    expect(checkSpendProof({ ...options, rings: reversed })).toBe(false);
    expect(() => checkSpendProof({ ...options, signature: 'SpendProofV2' })).toThrow(
      expect.objectContaining({ name: 'ProofError', code: 'format' }) as Error,
    );
  });
});

describe('reserves', () => {
  const transactionOf = (txId: Uint8Array) =>
    transactions.find(({ id }) => toHex(id) === toHex(txId));
  const check = (text: string, options: Partial<Parameters<typeof checkReserveProof>[0]> = {}) =>
    checkReserveProof({
      address: main,
      message,
      transactionOf,
      isSpent: () => false,
      backend,
      ...options,
      proof: options.proof ?? readReserveProof(text),
    });

  test('are what the wallet holds', () => {
    expect(check(proofs.reserve)).toEqual({ total: 3n * PICONERO, spent: 0n });
    const [first] = readReserveProof(proofs.reserve).entries;
    const isSpent = (image: Uint8Array) => image === first?.keyImage;
    const proof = readReserveProof(proofs.reserve);
    const image = proof.entries[0]?.keyImage;
    expect(isSpent(image as Uint8Array)).toBe(false);
    const spent = check(proofs.reserve, { proof, isSpent: (each) => each === image });
    expect(spent?.spent).toBeGreaterThan(0n);
    expect(check(proofs.reserve, { message: 'other' })).toBeUndefined();
  });

  test('are refused with any part changed', () => {
    const header = 'ReserveProofV2'.length;
    for (let at = header; at < proofs.reserve.length; at += 37) {
      expect(isRefused(() => check(change(proofs.reserve, at)))).toBe(true);
    }
    for (const text of [
      '',
      'ReserveProofV2',
      proofs.reserve.slice(0, -11),
      `${proofs.reserve}11`,
    ]) {
      expect(() => check(text)).toThrow(ProofError);
    }
    expect(check(proofs.reserve.replace('V2', 'V1'))).toBeUndefined();
  });

  test('are refused with an output twice, or a missing part', () => {
    const proof = readReserveProof(proofs.reserve);
    const [first] = proof.entries;
    if (first === undefined) throw new Error('an empty proof');
    const changed = (entry: object) => ({ ...proof, entries: [{ ...first, ...entry }] });
    expect(() => check('', { proof: changed({ index: 99 }) })).toThrow(ProofError);
    expect(() => check('', { proof, transactionOf: () => undefined })).toThrow(
      expect.objectContaining({ name: 'ProofError', code: 'missing-transaction' }) as Error,
    );
    expect(() => check('', { proof, address: subaddress })).toThrow(ProofError);
    const stranger = { ...main, spendKey: subaddress.viewKey };
    expect(() => check('', { proof, address: stranger })).toThrow(ProofError);
  });
});

describe('messages', () => {
  const check = (signature: string, options: { text?: string; address?: typeof main } = {}) =>
    checkMessageSignature({
      message: options.text ?? message,
      address: options.address ?? main,
      signature,
      backend,
    });

  test('are signed with either key of an address', () => {
    expect(check(proofs.messageSpend)).toEqual({ version: 2, signedWith: 'spend' });
    expect(check(proofs.messageView)).toEqual({ version: 2, signedWith: 'view' });
    const address = subaddress;
    expect(check(proofs.messageSubaddress, { address })).toEqual({
      version: 2,
      signedWith: 'spend',
    });
    expect(check(proofs.messageSubaddress)).toBeUndefined();
    expect(check(proofs.messageSpend, { text: 'other' })).toBeUndefined();
    expect(check(proofs.messageSpend.replace('V2', 'V1'))).toBeUndefined();
    const bytes = new TextEncoder().encode(message);
    const options = { message: bytes, address: main, signature: proofs.messageView, backend };
    expect(checkMessageSignature(options)?.signedWith).toBe('view');
  });

  test('of version 1 are accepted', () => {
    const spend = signMessageV1(message, account.spendSecret, backend);
    expect(check(spend)).toEqual({ version: 1, signedWith: 'spend' });
    const view = signMessageV1(message, account.viewSecret, backend);
    expect(check(view)).toEqual({ version: 1, signedWith: 'view' });
    expect(check(view, { text: 'other' })).toBeUndefined();
    const secret = subaddressSecret(account.viewSecret, { account: 0, index: 1 });
    expect(check(signMessageV1(message, secret, backend))).toBeUndefined();
  });

  test.each(['', 'SigV3', 'SigV2', 'SigV20', `SigV2${'1'.repeat(87)}`, `SigV2${'1'.repeat(90)}`])(
    'malformed: %s',
    (signature) => {
      expect(() => check(signature)).toThrow(ProofError);
    },
  );

  test('with a zero challenge or a scalar that is too large are refused', () => {
    expect(check(`SigV2${'1'.repeat(88)}`)).toBeUndefined();
    expect(check(`SigV2${'jpXCZedGfVQ'.repeat(8)}`)).toBeUndefined();
  });
});
