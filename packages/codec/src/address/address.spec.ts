import { fromHex, toHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { type Address, formatAddress, parseAddress } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

/** The addresses of one seed on each network, from monero-wallet-rpc 0.18.0.0. */
const PRIMARY = {
  spend: '135a5fe63538ed24f655b145c85caf80ba90087bf599f404ea3816d2555ceeb7',
  view: '0b78d956a71bdee862dc7a68a344c329a0808cb3542b24495ab45215ccfaab08',
};
const SUBADDRESS = {
  spend: 'e7777f52c09a2598916ef8c550c20e8dd274f5f6a86f1cddd5829c9c168aded1',
  view: '9033b7591db84d1e8efb655ad14d8ae5752f7b22e59ea675f6fe957cad029182',
};
const PAYMENT_ID = '0123456789abcdef';
const ADDRESSES = [
  [
    'mainnet',
    'standard',
    PRIMARY,
    '42MePJ2LWUL7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN1w7Zyea',
  ],
  [
    'mainnet',
    'subaddress',
    SUBADDRESS,
    '8BE16K3xrv8SX6u421dxBFQirR7grw8pTe74wU9YNepDc42XrirPv7W67TSqhXsreMfP2c43aNPWdLjQacX9emqzFkRuAoP',
  ],
  [
    'mainnet',
    'integrated',
    PRIMARY,
    '4C4KQ6qq7jr7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN2LetA3GfEhATyQEw15',
  ],
  [
    'stagenet',
    'standard',
    PRIMARY,
    '52ZgU8wJA5S7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN1xnEzpe',
  ],
  [
    'stagenet',
    'subaddress',
    SUBADDRESS,
    '7B1y1U91DK2SX6u421dxBFQirR7grw8pTe74wU9YNepDc42XrirPv7W67TSqhXsreMfP2c43aNPWdLjQacX9emqzFh9kFse',
  ],
  [
    'stagenet',
    'integrated',
    PRIMARY,
    '5CGMUwknmLx7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN2LetA3GfEhAU4JuZRN',
  ],
  [
    'testnet',
    'standard',
    PRIMARY,
    '9suBsYgbnqS7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN1zxDd7Q',
  ],
  [
    'testnet',
    'subaddress',
    SUBADDRESS,
    'Bgx8PGFKdXzSX6u421dxBFQirR7grw8pTe74wU9YNepDc42XrirPv7W67TSqhXsreMfP2c43aNPWdLjQacX9emqzFfkVfbi',
  ],
  [
    'testnet',
    'integrated',
    PRIMARY,
    'A3brtMW6Q6x7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN2LetA3GfEhAU4TSzDC',
  ],
] as const;
const MAINNET = ADDRESSES[0][3];

describe.each(ADDRESSES)('%s %s address', (network, kind, keys, text) => {
  test('parses', () => {
    const address = parseAddress(text);
    expect(address.network).toBe(network);
    expect(address.kind).toBe(kind);
    expect(toHex(address.spendKey)).toBe(keys.spend);
    expect(toHex(address.viewKey)).toBe(keys.view);
    const paymentId = address.paymentId && toHex(address.paymentId);
    expect(paymentId).toBe(kind === 'integrated' ? PAYMENT_ID : undefined);
  });

  test('is formatted', () => {
    const address = { network, kind, spendKey: fromHex(keys.spend), viewKey: fromHex(keys.view) };
    const paymentId = kind === 'integrated' ? { paymentId: fromHex(PAYMENT_ID) } : {};
    expect(formatAddress({ ...address, ...paymentId })).toBe(text);
  });
});

test('refuses an address with any one character changed', () => {
  for (let i = 0; i < MAINNET.length; i++) {
    const other = MAINNET[i] === '2' ? '3' : '2';
    const text = MAINNET.slice(0, i) + other + MAINNET.slice(i + 1);
    expect(() => parseAddress(text)).toThrow(DecodeError);
  }
});

test.each([
  ['empty', ''],
  ['one character', '4'],
  ['cut', MAINNET.slice(0, -1)],
  ['longer', MAINNET + '1'],
  ['much longer', '1'.repeat(100000)],
  ['outside the alphabet', MAINNET.replace('4', '0')],
  ['not ASCII', '42Mé'],
])('refuses an address that is %s', (_, text) => {
  expect(() => parseAddress(text)).toThrow(DecodeError);
});

test('says which text is no address, and why', () => {
  expect(() => parseAddress('4abc')).toThrow('"4abc" is not an address: impossible base58 length');
  const typo = MAINNET.replace('42M', '42N');
  expect(() => parseAddress(typo)).toThrow(`"${typo}" is not an address: wrong checksum`);
  // A stranger's text stays one line, and short.
  expect(() => parseAddress('4\n1')).toThrow('"4\\n1" is not an address');
  expect(() => parseAddress('1'.repeat(100_000))).toThrow(/^"1{106}…" is not an address: too long/);
});

test('refuses to format an address with a missing payment id or a key of the wrong size', () => {
  const address = parseAddress(MAINNET);
  const extra = formatAddress({ ...address, kind: 'integrated', paymentId: new Uint8Array(8) });
  expect(parseAddress(extra).kind).toBe('integrated');
  expect(() => formatAddress({ ...address, kind: 'integrated' })).toThrow(TypeError);
  const paymentId = new Uint8Array(7);
  expect(() => formatAddress({ ...address, kind: 'integrated', paymentId })).toThrow(RangeError);
  expect(() => formatAddress({ ...address, spendKey: new Uint8Array(31) })).toThrow(RangeError);
});

test('names the networks and the kinds that there are', () => {
  const address = parseAddress(MAINNET);
  const format = (change: object) => () => formatAddress({ ...address, ...change } as Address);
  expect(format({ network: 'regtest' })).toThrow(
    new TypeError('"network" expected mainnet, testnet, stagenet, got "regtest"'),
  );
  expect(format({ network: undefined })).toThrow('"network" expected mainnet');
  expect(format({ kind: 'toString' })).toThrow('"kind" expected standard, integrated, subaddress');
});

test('drops no payment id, by which a payment is told from others', () => {
  const paymentId = new Uint8Array(8);
  for (const kind of ['standard', 'subaddress'] as const) {
    expect(() => formatAddress({ ...parseAddress(MAINNET), kind, paymentId })).toThrow(RangeError);
  }
});

describe('base58', () => {
  // Values follow from the definition: a block is a big-endian number of fixed width.
  test.each([
    ['', ''],
    ['00', '11'],
    ['39', '1z'],
    ['3a', '21'],
    ['ff', '5Q'],
    ['0000', '111'],
    ['ffff', 'LUv'],
    ['ffffffffffffffff', 'jpXCZedGfVQ'],
    ['0000000000000000', '11111111111'],
    ['000000000000000001', '1111111111112'],
  ])('%s is %s', (hex, text) => {
    expect(encodeBase58(fromHex(hex))).toBe(text);
    expect(toHex(decodeBase58(text))).toBe(hex);
  });

  test.each(['1', '1111', '5R', 'jpXCZedGfVR', 'zzzzzzzzzzz', 'LUw', '0I'])(
    'refuses %s',
    (text) => {
      expect(() => decodeBase58(text)).toThrow(DecodeError);
    },
  );
});
