import { createReferenceBackend } from '@monero-node/crypto';
import {
  accountAddress,
  accountFromAddress,
  accountFromSecrets,
  accountFromSeed,
  accountFromSpendSecret,
  carrotAccountFromMasterSecret,
  carrotAccountFromViewBalanceSecret,
  CarrotScanner,
  checkMessageSignature,
  checkPaymentProof,
  checkReserveProof,
  checkSpendProof,
  createPolyseed,
  cryptPaymentId,
  decodePolyseed,
  decodeSeed,
  encodePolyseed,
  encodeSeed,
  encodeCarrotExtra,
  inputContext,
  isOutputUnlocked,
  loadPolyseed,
  makeCarrotOutputs,
  polyseedKey,
  Scanner,
  subaddressKeys,
  subaddressSecret,
  SubaddressTable,
} from './index.ts';
import { english } from './words/english.ts';

const backend = createReferenceBackend();
const SECRET = Uint8Array.of(1, ...new Uint8Array(31));
const { viewSecret, spendKey } = accountFromSpendSecret(SECRET);
const at = { account: 0, index: 1 };
const ADDRESS = accountAddress({ viewSecret, spendKey }, { network: 'stagenet', backend });

/** An output of the right lengths that is nobody's. */
const ENOTE = {
  onetimeAddress: new Uint8Array(32),
  viewTag: new Uint8Array(3),
  encryptedAnchor: new Uint8Array(16),
  ephemeralPublicKey: new Uint8Array(32),
  inputContext: new Uint8Array(33),
  amountCommitment: new Uint8Array(32),
  encryptedAmount: new Uint8Array(8),
};
const carrotScanner = new CarrotScanner({ account: { viewSecret, spendKey }, backend });

const NO_BYTES: readonly unknown[] = [
  'ab'.repeat(32),
  'a'.repeat(32),
  null,
  5,
  [1, 2],
  { length: 32 },
  new ArrayBuffer(32),
];

const TAKERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  accountFromSeed,
  accountFromSpendSecret,
  accountFromAddress: (bytes) => accountFromAddress(ADDRESS, bytes),
  'accountAddress, spend key': (bytes) =>
    accountAddress({ viewSecret, spendKey: bytes }, { network: 'mainnet', backend }),
  'SubaddressTable, spend key': (bytes) =>
    new SubaddressTable({ viewSecret, spendKey: bytes }, backend),
  'SubaddressTable, view secret': (bytes) =>
    new SubaddressTable({ viewSecret: bytes, spendKey }, backend),
  'accountFromSecrets, spend': (bytes) => accountFromSecrets({ spendSecret: bytes, viewSecret }),
  'accountFromSecrets, view': (bytes) =>
    accountFromSecrets({ spendSecret: SECRET, viewSecret: bytes }),
  carrotAccountFromMasterSecret: (bytes) => carrotAccountFromMasterSecret(bytes, backend),
  'carrotAccountFromViewBalanceSecret, secret': (bytes) =>
    carrotAccountFromViewBalanceSecret(bytes, spendKey, backend),
  'carrotAccountFromViewBalanceSecret, key': (bytes) =>
    carrotAccountFromViewBalanceSecret(SECRET, bytes, backend),
  inputContext,
  'encodeCarrotExtra, payment id': (bytes) => encodeCarrotExtra([SECRET], bytes),
  'CarrotScanner, a field of an output': (bytes) =>
    carrotScanner.scan({ enotes: [{ ...ENOTE, viewTag: bytes }] }),
  'CarrotScanner, the payment id': (bytes) =>
    carrotScanner.scan({ enotes: [], encryptedPaymentId: bytes }),
  encodeSeed: (bytes) => encodeSeed(bytes, english),
  createPolyseed: (bytes) => createPolyseed({ random: bytes }),
  loadPolyseed: (bytes) => loadPolyseed(bytes),
  'cryptPaymentId, id': (bytes) => cryptPaymentId(bytes, SECRET),
  'cryptPaymentId, derivation': (bytes) => cryptPaymentId(new Uint8Array(8), bytes),
  subaddressSecret: (bytes) => subaddressSecret(bytes, at),
  'subaddressKeys, view secret': (bytes) =>
    subaddressKeys({ viewSecret: bytes, spendKey }, at, backend),
};

describe.each(Object.entries(TAKERS))('%s', (_, take) => {
  test.each(NO_BYTES)('refuses what is not bytes: %p', (value) => {
    expect(() => take(value as Uint8Array)).toThrow(TypeError);
  });
});

test('bytes of another length are refused with both lengths', () => {
  const short = new Uint8Array(31);
  expect(() => accountFromSeed(short)).toThrow(
    new RangeError('"seed" expected Uint8Array of length 32, got length=31'),
  );
  // Any number of bytes can be hashed, but only 32 are a view key.
  expect(() => subaddressSecret(short, at)).toThrow(RangeError);
  expect(() => cryptPaymentId(short, SECRET)).toThrow(RangeError);
});

describe('keys of an account', () => {
  /** Not below l. */
  const LARGE = new Uint8Array(32).fill(255);
  const ZERO = new Uint8Array(32);
  /** The encoding of no point. */
  const NO_POINT = Uint8Array.of(2, ...new Uint8Array(31));
  const lookahead = { accounts: 1, addresses: 1 };
  const address = (account: { viewSecret: Uint8Array; spendKey: Uint8Array }, index: number) =>
    accountAddress(account, { network: 'mainnet', at: { account: 0, index }, backend });

  test.each([LARGE, ZERO])('a wrong secret is named and not shown', (wrong) => {
    const account = { viewSecret: wrong, spendKey };
    const why = 'account.viewSecret is no secret key: it is 0, or not below l';
    expect(() => address(account, 0)).toThrow(`accountAddress: ${why}`);
    expect(() => address(account, 1)).toThrow(`accountAddress: ${why}`);
    expect(() => new Scanner({ account, backend, lookahead })).toThrow(why);
    expect(() => new CarrotScanner({ account, backend, lookahead })).toThrow(why);
    expect(() => accountFromSecrets({ spendSecret: SECRET, viewSecret: wrong })).toThrow(
      'viewSecret is no secret key',
    );
    expect(() => accountFromSecrets({ spendSecret: wrong, viewSecret })).toThrow(
      'spendSecret is no secret key',
    );
    expect(() => accountFromSpendSecret(wrong)).toThrow('spendSecret is no secret key');
  });

  test('a wrong spend key is named and shown', () => {
    const account = { viewSecret, spendKey: NO_POINT };
    const why = `account.spendKey is no public key: 02${'00'.repeat(31)} is not a point`;
    expect(() => address(account, 1)).toThrow(`accountAddress: ${why}`);
    expect(() => new Scanner({ account, backend, lookahead })).toThrow(why);
  });

  test('an index that there is not is shown', () => {
    const account = { viewSecret, spendKey };
    expect(() => address(account, -1)).toThrow(
      'the index of an address is a whole number below 2^32, not -1',
    );
    expect(() => subaddressSecret(viewSecret, { account: 2 ** 32, index: 0 })).toThrow(
      'the account of an address is a whole number below 2^32, not 4294967296',
    );
  });

  test('an address and its view key make an account', () => {
    expect(accountFromAddress(ADDRESS, viewSecret)).toEqual({
      ...{ network: 'stagenet', viewSecret, spendKey },
    });
    const paymentId = new Uint8Array(8);
    const options = { network: 'mainnet', paymentId, backend } as const;
    const integrated = accountAddress({ viewSecret, spendKey }, options);
    expect(accountFromAddress(integrated, viewSecret).spendKey).toEqual(spendKey);
  });

  test('what does not belong together is an error that names the address', () => {
    expect(() => accountFromAddress(ADDRESS, SECRET)).toThrow(
      `viewSecret is not the view key of ${ADDRESS}`,
    );
    expect(() => accountFromAddress(ADDRESS, LARGE)).toThrow('viewSecret is no secret key');
    expect(() => accountFromAddress('5abc', viewSecret)).toThrow('"5abc" is not an address');
    const other = address({ viewSecret, spendKey }, 1);
    expect(() => accountFromAddress(other, viewSecret)).toThrow(`${other} is a subaddress`);
  });
});

test('fields of a Carrot output have their lengths', () => {
  expect(carrotScanner.scan({ enotes: [ENOTE] })).toEqual([]);
  for (const field of Object.keys(ENOTE)) {
    const enote = { ...ENOTE, [field]: new Uint8Array(31) };
    expect(() => carrotScanner.scan({ enotes: [enote] })).toThrow(RangeError);
  }
  expect(() => carrotScanner.scan({ enotes: [], encryptedPaymentId: SECRET })).toThrow(RangeError);
  expect(() => carrotAccountFromMasterSecret(new Uint8Array(31), backend)).toThrow(RangeError);
});

test('a seed is text', () => {
  for (const value of [undefined, 5, SECRET, ['abbey']]) {
    expect(() => decodeSeed(value as unknown as string, [english])).toThrow(TypeError);
  }
});

describe('options', () => {
  const account = { viewSecret, spendKey };
  const address = (options: object) => () =>
    accountAddress(account, { network: 'mainnet', backend, ...options });

  test('a misspelled option pays no other address than the one that was meant', () => {
    expect(address({ subaddress: at })).toThrow(
      'accountAddress: no option "subaddress"; there are network, at, paymentId, backend',
    );
    expect(address({ at: { account: 0, minor: 1 } })).toThrow('no option "minor" in at');
    expect(address({ at: { index: 1 } })).toThrow('accountAddress: at.account is missing');
    expect(address({ at: [0, 1] })).toThrow('no option "0" in at; there are account, index');
    expect(address({ at: null })).toThrow('accountAddress: at is null, not an object');
  });

  test('a network without addresses is an error that names those that have them', () => {
    const choices = 'it can be "mainnet", "testnet", "stagenet"';
    expect(address({ network: 'regtest' })).toThrow(
      `accountAddress: network is "regtest"; ${choices}`,
    );
    expect(address({ network: undefined })).toThrow(`network is missing; ${choices}`);
    expect(() => accountAddress(account, undefined as never)).toThrow('its options are undefined');
  });

  const scanner = { account, backend, lookahead: { accounts: 1, addresses: 1 } };
  const unlock = {
    unlockTime: 0n,
    height: 1,
    chainHeight: 100,
    time: 0,
    network: 'mainnet' as const,
  };
  const MISSPELLED: Readonly<Record<string, (wrong: object) => unknown>> = {
    Scanner: (wrong) => new Scanner({ ...scanner, ...wrong }),
    CarrotScanner: (wrong) => new CarrotScanner({ ...scanner, ...wrong }),
    makeCarrotOutputs: (wrong) => makeCarrotOutputs(wrong as never),
    'Scanner, lookahead': (wrong) =>
      new Scanner({ ...scanner, lookahead: { ...scanner.lookahead, ...wrong } }),
    SubaddressTable: (wrong) => new SubaddressTable(account, backend, wrong),
    createPolyseed: (wrong) => createPolyseed(wrong),
    encodePolyseed: (wrong) => encodePolyseed({} as never, {} as never, wrong),
    decodePolyseed: (wrong) => decodePolyseed('', [], wrong),
    isOutputUnlocked: (wrong) => isOutputUnlocked({ ...unlock, ...wrong }),
    checkMessageSignature: (wrong) => checkMessageSignature(wrong as never),
    checkPaymentProof: (wrong) => checkPaymentProof(wrong as never),
    checkReserveProof: (wrong) => checkReserveProof(wrong as never),
    checkSpendProof: (wrong) => checkSpendProof(wrong as never),
  };
  test.each(Object.entries(MISSPELLED))('%s refuses a name that it does not know', (_, take) => {
    expect(() => take({ misspelled: 1 })).toThrow('no option "misspelled"');
  });

  test('values with choices are checked', async () => {
    const wrong = { coinbase: 'all' } as never;
    expect(() => new Scanner({ ...scanner, ...(wrong as object) })).toThrow(
      'Scanner: coinbase is "all"; it can be "full", "optimize-coinbase", "no-coinbase"',
    );
    expect(() => isOutputUnlocked({ ...unlock, network: 'regtest' as never })).toThrow(
      'network is "regtest"; it can be "mainnet"',
    );
    await expect(polyseedKey({} as never, { misspelled: 1 } as never)).rejects.toThrow(
      'polyseedKey: no option "misspelled"; there are coin, size',
    );
  });
});
