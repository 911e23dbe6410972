import { bytesEqual, compareBytes, parseAddress } from '@monero-node/codec';
import { createBackend, toMontgomery } from '@monero-node/crypto';
import fc from 'fast-check';
import { type Account, accountFromSeed } from '../keys/account.ts';
import { type AnyAccount, carrotAccountFromMasterSecret } from '../keys/carrot-account.ts';
import { ONE, sumOf } from '../keys/points.ts';
import { accountAddress, type SubaddressIndex, subaddressKeys } from '../keys/subaddress.ts';
import {
  type CarrotEnote,
  carrotCommitmentMask,
  amountBytes,
  commitTo,
  contextSecret,
  cryptAnchor,
  cryptCarrotAmount,
  ephemeralPublicKey,
  ephemeralSecret,
  extensionOf,
  extensionPoint,
  inputContext,
  NO_PAYMENT_ID,
  sharedSecret,
  viewTagOf,
} from './enote.ts';
import { readCarrotExtra } from './extra.ts';
import { carrotOutputSecrets } from './key-image.ts';
import {
  type CarrotDestination,
  makeCoinbaseEnote,
  makePayment,
  makeSelfSend,
} from './make-enote.ts';
import { makeCarrotOutputs } from './outputs.ts';
import { CarrotScanner } from './scan.ts';

const backend = createBackend();
const filled = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const MAIN = { account: 0, index: 0 };

const old: Account = accountFromSeed(filled(1));
const carrot = carrotAccountFromMasterSecret(filled(2), backend);
const stranger = accountFromSeed(filled(3));
const sender = carrotAccountFromMasterSecret(filled(4), backend);
const oldSender = accountFromSeed(filled(5));

const scanners = new Map<AnyAccount, CarrotScanner>();
function scannerOf(account: AnyAccount): CarrotScanner {
  const known = scanners.get(account);
  if (known !== undefined) return known;
  const scanner = new CarrotScanner({ account, backend, lookahead: { accounts: 3, addresses: 5 } });
  scanners.set(account, scanner);
  return scanner;
}

function destinationOf(
  account: AnyAccount,
  at: SubaddressIndex,
  paymentId?: Uint8Array,
): CarrotDestination {
  const id = paymentId && { paymentId };
  return parseAddress(accountAddress(account, { network: 'mainnet', at, backend, ...id }));
}

const bytes = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .filter((array) => array.some((byte) => byte !== 0));
const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const places = fc.record({ account: fc.nat(2), index: fc.nat(4) });
const recipients = fc.constantFrom<AnyAccount>(old, carrot);
/** Shrinking would take long and say nothing more. */
const RUNS = { numRuns: 12, endOnFailure: true };

test('a payment is found by its recipient alone, with all that was put into it', () => {
  const property = fc.property(
    ...([
      recipients,
      places,
      amounts,
      bytes(16),
      bytes(32),
      fc.option(bytes(8), { nil: undefined }),
    ] as const),
    (account, place, amount, anchor, image, id) => {
      const at = id === undefined ? place : MAIN;
      const destination = destinationOf(account, at, id);
      const made = makePayment({ destination, amount, anchor }, inputContext(image), backend);
      const outputs = { enotes: [made.enote], encryptedPaymentId: made.encryptedPaymentId };
      const [found, ...more] = scannerOf(account).scan(outputs);
      expect(more).toEqual([]);
      expect(found).toMatchObject({
        index: 0,
        subaddress: at,
        amount,
        mask: made.mask,
        type: 'payment',
      });
      expect(found).toMatchObject({ isInternal: false, paymentId: id, message: undefined });
      for (const other of [stranger, sender]) expect(scannerOf(other).scan(outputs)).toEqual([]);
      // With another payment id, as that of another output, or none, it is one without.
      for (const encryptedPaymentId of [bytes8(made.encryptedPaymentId), undefined]) {
        const again = scannerOf(account).scan({ enotes: [made.enote], encryptedPaymentId });
        expect(again.map(({ paymentId }) => paymentId)).toEqual(
          id === undefined ? [undefined] : [],
        );
      }
    },
  );
  fc.assert(property, RUNS);
});

/** Other bytes of the same length. */
const bytes8 = (given: Uint8Array) => given.map((byte) => byte ^ 1);

test('secrets and key images are those of the one-time address, and the image secret suffices', () => {
  const property = fc.property(recipients, places, bytes(16), (account, at, anchor) => {
    const payment = { destination: destinationOf(account, at), amount: 5n, anchor };
    const { enote } = makePayment(payment, inputContext(filled(7)), backend);
    const [found] = scannerOf(account).scan({ enotes: [enote] });
    // Throws unless x·G + y·T is the one-time address.
    const { x } = carrotOutputSecrets(found!, account as Account, backend);
    expect(x).toHaveLength(32);
    if (account !== carrot) return;
    const { proveSpendSecret, ...balance } = carrot;
    expect(proveSpendSecret).toHaveLength(32);
    const [seen] = scannerOf(balance).scan({ enotes: [enote] });
    expect(seen?.keyImage).toEqual(found?.keyImage);
  });
  fc.assert(property, RUNS);
  const payment = { destination: destinationOf(old, MAIN), amount: 5n, anchor: filled(1, 16) };
  const { enote } = makePayment(payment, inputContext(filled(7)), backend);
  const [found] = scannerOf(old).scan({ enotes: [enote] });
  expect(() => carrotOutputSecrets(found!, stranger, backend)).toThrow('not those of an output');
});

test('change and payments to oneself', () => {
  const accounts = fc.constantFrom<AnyAccount>(sender, oldSender);
  const types = fc.constantFrom('payment' as const, 'change' as const);
  const property = fc.property(
    accounts,
    places,
    amounts,
    types,
    bytes(32),
    (account, at, amount, type, image) => {
      const key = ephemeralPublicKey(
        accountFromSeed(image).spendSecret,
        { spendKey: old.spendKey, isSubaddress: false },
        backend,
      );
      const context = inputContext(image);
      const made = makeSelfSend({ at, amount, type }, key, context, { account, backend });
      const [found] = scannerOf(account).scan({
        enotes: [made.enote],
        encryptedPaymentId: filled(3, 8),
      });
      expect(found).toMatchObject({ subaddress: at, amount, type, mask: made.mask });
      expect(found?.paymentId).toBeUndefined();
      expect(found?.isInternal).toBe(account === sender);
      expect(found?.keyImage).toHaveLength(32);
      const { viewSecret, spendKey } = account;
      const watching =
        account === sender
          ? { viewSecret, spendKey, addressSecret: sender.addressSecret }
          : { viewSecret, spendKey };
      // What a Carrot account pays itself only its view balance secret finds.
      const seen = new CarrotScanner({
        account: watching,
        backend,
        lookahead: { accounts: 3, addresses: 5 },
      });
      expect(seen.scan({ enotes: [made.enote] })).toHaveLength(account === sender ? 0 : 1);
    },
  );
  fc.assert(property, RUNS);
});

test('a message to oneself', () => {
  const key = toMontgomery(stranger.spendKey)!;
  const message = filled(9, 16);
  const selfSend = { amount: 1n, type: 'change', message } as const;
  const context = inputContext(filled(8));
  const { enote } = makeSelfSend(selfSend, key, context, { account: sender, backend });
  expect(scannerOf(sender).scan({ enotes: [enote] })[0]?.message).toEqual(message);
  const noSecret = () => makeSelfSend(selfSend, key, context, { account: oldSender, backend });
  expect(noSecret).toThrow('a message needs the view balance secret');
});

test('a coinbase output is found by its miner, at its height alone', () => {
  const property = fc.property(
    recipients,
    amounts,
    bytes(16),
    fc.nat(5_000_000),
    (account, amount, anchor, height) => {
      const payment = { destination: destinationOf(account, MAIN), amount, anchor };
      const enote = makeCoinbaseEnote(payment, height, backend);
      const [found] = scannerOf(account).scanCoinbase([enote]);
      expect(found).toMatchObject({ subaddress: MAIN, amount, mask: ONE, type: 'payment' });
      expect(found?.paymentId).toBeUndefined();
      expect(found?.keyImage).toHaveLength(32);
      expect(scannerOf(stranger).scanCoinbase([enote])).toEqual([]);
      const moved = makeCoinbaseEnote(payment, height + 1, backend).inputContext;
      expect(scannerOf(account).scanCoinbase([{ ...enote, inputContext: moved }])).toEqual([]);
      expect(scannerOf(account).scanCoinbase([{ ...enote, amount: amount ^ 1n }])).toEqual([]);
    },
  );
  fc.assert(property, RUNS);
});

test('a coinbase pays main addresses alone', () => {
  const payment = { amount: 1n, anchor: filled(1, 16) };
  for (const destination of [
    destinationOf(old, { account: 0, index: 1 }),
    destinationOf(old, MAIN, filled(1, 8)),
  ]) {
    expect(() => makeCoinbaseEnote({ ...payment, destination }, 1, backend)).toThrow(
      'main address',
    );
  }
});

/**
 * An output for address `to` whose ephemeral key is of address `of`: whoever receives it and answers would tell that both addresses are
 * his. With the same address twice it is a normal output.
 */
function janusEnote(account: AnyAccount, to: SubaddressIndex, of: SubaddressIndex): CarrotEnote {
  const context = inputContext(filled(6));
  const target = subaddressKeys(account, to, backend);
  const bait = subaddressKeys(account, of, backend);
  const anchor = filled(5, 16);
  const d = ephemeralSecret(anchor, context, target.spendKey, NO_PAYMENT_ID);
  const isSubaddress = of.account !== 0 || of.index !== 0;
  const key = ephemeralPublicKey(d, { spendKey: bait.spendKey, isSubaddress }, backend);
  const shared = sharedSecret(d, toMontgomery(bait.viewKey)!);
  const secret = contextSecret(shared, key, context);
  const mask = carrotCommitmentMask(secret, 7n, target.spendKey, 'payment');
  const amountCommitment = commitTo(7n, mask, backend);
  const extension = extensionPoint(extensionOf(secret, amountCommitment), backend);
  const onetimeAddress = sumOf({ a: ONE, A: target.spendKey, b: ONE, B: extension }, backend);
  return {
    onetimeAddress,
    amountCommitment,
    encryptedAmount: cryptCarrotAmount(amountBytes(7n), secret, onetimeAddress),
    viewTag: viewTagOf(shared, context, onetimeAddress),
    encryptedAnchor: cryptAnchor(anchor, secret, onetimeAddress),
    ephemeralPublicKey: key,
    inputContext: context,
  };
}

test.each([
  ['the old hierarchy', old],
  ['the Carrot hierarchy', carrot],
])('a Janus attack on an account of %s is refused', (_, account: AnyAccount) => {
  const all = [MAIN, { account: 0, index: 1 }, { account: 1, index: 0 }];
  for (const to of all) {
    for (const of of all) {
      const found = scannerOf(account).scan({ enotes: [janusEnote(account, to, of)] });
      expect([to, of, found.map(({ subaddress }) => subaddress)]).toEqual([
        to,
        of,
        to === of ? [to] : [],
      ]);
    }
  }
});

test('an output with a changed byte is not found', () => {
  const destination = destinationOf(carrot, { account: 0, index: 2 });
  const payment = { destination, amount: 3n, anchor: filled(4, 16) };
  const { enote } = makePayment(payment, inputContext(filled(1)), backend);
  const fields = Object.keys(enote) as (keyof CarrotEnote)[];
  expect(fields).toHaveLength(7);
  for (const field of fields) {
    for (const at of [0, enote[field].length - 1]) {
      const changed = Uint8Array.from(enote[field]);
      // Of a u coordinate the highest bit does not count.
      changed[at] = (changed[at] as number) ^ 4;
      const found = scannerOf(carrot).scan({ enotes: [{ ...enote, [field]: changed }] });
      expect([field, at, found.length]).toEqual([field, at, 0]);
    }
  }
});

test('outputs of amount 0 are not counted', () => {
  const payment = { destination: destinationOf(old, MAIN), amount: 0n, anchor: filled(4, 16) };
  const { enote } = makePayment(payment, inputContext(filled(1)), backend);
  expect(scannerOf(old).scan({ enotes: [enote] })).toEqual([]);
});

describe('the outputs of a transaction', () => {
  const firstKeyImage = filled(6);
  const pay = (byte: number, paymentId?: Uint8Array) => ({
    destination: destinationOf(old, MAIN, paymentId),
    amount: BigInt(byte),
    anchor: filled(byte, 16),
  });
  const change = { amount: 50n, type: 'change' } as const;
  const toSelf = { amount: 60n, type: 'payment', at: { account: 1, index: 1 } } as const;
  const base = { payments: [pay(1)], selfSends: [change], account: sender, firstKeyImage, backend };

  function scanBoth(options: Parameters<typeof makeCarrotOutputs>[0]) {
    const { outputs, extra } = makeCarrotOutputs(options);
    const read = readCarrotExtra(extra, { outputs: outputs.length, isCoinbase: false });
    const enotes = outputs.map(({ enote }, i) => {
      const key = read?.ephemeralPublicKeys[i] as Uint8Array;
      expect(bytesEqual(key, enote.ephemeralPublicKey)).toBe(true);
      return { ...enote, ephemeralPublicKey: key };
    });
    for (const [i, { onetimeAddress }] of enotes.slice(1).entries()) {
      expect(compareBytes(enotes[i]!.onetimeAddress, onetimeAddress)).toBeLessThan(0);
    }
    const all = { enotes, encryptedPaymentId: read?.encryptedPaymentId };
    const [mine, theirs] = [options.account, old].map((account) => scannerOf(account).scan(all));
    return { mine: mine!, theirs: theirs!, extra, keys: read!.ephemeralPublicKeys };
  }
  const sorted = (list: readonly { readonly amount: bigint }[]) =>
    list.map(({ amount }) => amount).sort((a, b) => Number(a - b));

  test('two share a key, and the recipient has the payment id', () => {
    for (const account of [sender, oldSender]) {
      const id = filled(0xab, 8);
      const { mine, theirs, extra, keys } = scanBoth({ ...base, account, payments: [pay(1, id)] });
      expect(sorted(mine)).toEqual([50n]);
      expect(theirs).toMatchObject([{ amount: 1n, paymentId: id }]);
      expect(keys[0]).toEqual(keys[1]);
      // As upstream's wallets make it.
      expect(extra).toHaveLength(44);
    }
  });

  test('two to oneself share a key', () => {
    for (const account of [sender, oldSender]) {
      const { mine, theirs, keys } = scanBoth({
        ...base,
        account,
        payments: [],
        selfSends: [change, toSelf],
      });
      expect(sorted(mine)).toEqual([50n, 60n]);
      expect(theirs).toEqual([]);
      expect(keys[0]).toEqual(keys[1]);
    }
  });

  test('sixteen have a key each', () => {
    const payments = Array.from({ length: 13 }, (_, i) => pay(i + 1));
    const selfSends = [change, { ...change, amount: 51n }, toSelf];
    const { mine, theirs, extra, keys } = scanBoth({ ...base, payments, selfSends });
    expect(sorted(mine)).toEqual([50n, 51n, 60n]);
    expect(sorted(theirs)).toEqual(payments.map(({ amount }) => amount));
    expect(new Set(keys.map((key) => key.join())).size).toBe(16);
    expect(extra).toHaveLength(13 + 32 * 16);
  });

  test('sets that the chain or a recipient would refuse', () => {
    const make = (wrong: object) => () => makeCarrotOutputs({ ...base, ...wrong });
    const many = Array.from({ length: 16 }, (_, i) => pay(i + 1));
    expect(make({ payments: [] })).toThrow('2 to 16 outputs');
    expect(make({ payments: many })).toThrow('2 to 16 outputs');
    expect(make({ payments: [pay(1), pay(2)], selfSends: [] })).toThrow('goes to the sender');
    expect(make({ payments: [pay(1, filled(1, 8)), pay(2, filled(2, 8))] })).toThrow(
      'one payment id',
    );
    expect(make({ payments: [pay(1), pay(1)] })).toThrow('an anchor is used once');
    expect(make({ payments: [], selfSends: [change, change] })).toThrow('the other change');
    expect(make({ payments: [{ ...pay(1), anchor: filled(0, 16) }] })).toThrow(
      'an anchor is random',
    );
    expect(make({ payments: [{ ...pay(1), amount: 2n ** 64n }] })).toThrow('below 2^64');
    const noPoint = { ...destinationOf(old, MAIN), viewKey: filled(0xff) };
    expect(make({ payments: [{ ...pay(1), destination: noPoint }] })).toThrow(RangeError);
    // Of order 4.
    const torsion = { ...destinationOf(old, MAIN), viewKey: filled(0) };
    expect(make({ payments: [{ ...pay(1), destination: torsion }] })).toThrow(
      'not the keys of an address',
    );
    expect(make({ payment: [] })).toThrow('no option "payment"');
  });
});

describe('extra bytes', () => {
  const [a, b] = [filled(1), filled(2)];
  const single = Uint8Array.of(1, ...a);
  const list = Uint8Array.of(4, 2, ...a, ...b);
  test('a single key goes before a list, and other outputs share the last one', () => {
    const read = (extra: Uint8Array, outputs: number, isCoinbase = false) =>
      readCarrotExtra(extra, { outputs, isCoinbase })?.ephemeralPublicKeys;
    expect(read(single, 2)).toEqual([a, a]);
    expect(read(list, 2)).toEqual([a, b]);
    expect(read(list, 3)).toEqual([a, b, b]);
    expect(read(list, 1)).toBeUndefined();
    expect(read(Uint8Array.of(...list, ...single), 2)).toEqual([a, a]);
    expect(read(single, 2, true)).toBeUndefined();
    expect(read(list, 2, true)).toEqual([a, b]);
    expect(read(new Uint8Array(0), 1)).toBeUndefined();
  });
});
