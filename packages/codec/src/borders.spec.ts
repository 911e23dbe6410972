import * as codec from './index.ts';

/** Values that callers without types pass for bytes: hex first of all. */
const NO_BYTES: readonly unknown[] = [
  'ab',
  'a'.repeat(32),
  'a'.repeat(64),
  undefined,
  null,
  5,
  [1, 2],
  { length: 32 },
  new ArrayBuffer(32),
  new Uint16Array(16),
];
const KEY = new Uint8Array(32);
const TABLE = codec.defineTable({ count: codec.f.u8() });
type Bytes = Uint8Array;

const address = { network: 'mainnet', kind: 'standard', spendKey: KEY, viewKey: KEY } as const;
const input = { kind: 'key', amount: 0n, keyOffsets: [1n], keyImage: KEY } as const;
const transaction = (change: object): codec.Transaction =>
  ({ version: 1, unlockTime: 0n, inputs: [], outputs: [], extra: KEY, ...change }) as never;

const TAKERS: Readonly<Record<string, (bytes: Bytes) => unknown>> = {
  toHex: (bytes) => codec.toHex(bytes),
  'bytesEqual, first': (bytes) => codec.bytesEqual(bytes, KEY),
  'bytesEqual, second': (bytes) => codec.bytesEqual(KEY, bytes),
  compareBytes: (bytes) => codec.compareBytes(bytes, KEY),
  concatBytes: (bytes) => codec.concatBytes(KEY, bytes),
  ByteReader: (bytes) => new codec.ByteReader(bytes),
  'ByteWriter.bytes': (bytes) => new codec.ByteWriter().bytes(bytes),
  'ByteWriter.key': (bytes) => new codec.ByteWriter().key(bytes),
  parseTransaction: (bytes) => codec.parseTransaction(bytes),
  parsePrunedTransaction: (bytes) => codec.parsePrunedTransaction(bytes, KEY),
  parseTxExtra: (bytes) => codec.parseTxExtra(bytes),
  parseBlock: (bytes) => codec.parseBlock(bytes),
  parseBlockHeader: (bytes) => codec.parseBlockHeader(bytes),
  withoutHugeNumbers: (bytes) => codec.withoutHugeNumbers(bytes),
  hashingBlobHash: (bytes) => codec.hashingBlobHash(bytes),
  treeHash: (bytes) => codec.treeHash([bytes, KEY]),
  decodeBootstrapHeader: (bytes) => codec.decodeBootstrapHeader(bytes),
  decodeBootstrapPackage: (bytes) => codec.decodeBootstrapPackage(bytes, 1),
  decodeMessage: (bytes) => codec.decodeMessage(TABLE, bytes),
  encodeBase58: (bytes) => codec.encodeBase58(bytes),
  'formatAddress, spend key': (bytes) => codec.formatAddress({ ...address, spendKey: bytes }),
  'formatAddress, view key': (bytes) => codec.formatAddress({ ...address, viewKey: bytes }),
  'formatAddress, payment id': (bytes) =>
    codec.formatAddress({ ...address, kind: 'integrated', paymentId: bytes }),
  'encodeTransaction, extra': (extra) => codec.encodeTransaction(transaction({ extra })),
  'encodeTransaction, key image': (keyImage) =>
    codec.encodeTransaction(transaction({ inputs: [{ ...input, keyImage }] })),
};

describe.each(Object.entries(TAKERS))('%s', (_, take) => {
  test.each(NO_BYTES)('refuses what is not bytes: %p', (value) => {
    expect(() => take(value as Bytes)).toThrow(TypeError);
  });
});

test.each([
  ['fromHex', codec.fromHex],
  ['parseAddress', codec.parseAddress],
  ['decodeBase58', codec.decodeBase58],
])('%s refuses what is no text', (_, take) => {
  for (const value of [undefined, null, 5, KEY, ['a']]) {
    expect(() => take(value as unknown as string)).toThrow(TypeError);
  }
});

test('messages name the argument and the length', () => {
  const wrong = { ...address, spendKey: new Uint8Array(31) };
  expect(() => codec.formatAddress(wrong)).toThrow(
    new RangeError('"spendKey" expected Uint8Array of length 32, got length=31'),
  );
});

test('an option that there is not is refused', () => {
  const genesis = transaction({});
  for (const render of [codec.transactionToJson, codec.transactionToObject]) {
    const options = { prune: true } as codec.TransactionJsonOptions;
    expect(() => render(genesis, options)).toThrow(
      new TypeError('"option" expected pruned, got "prune"'),
    );
  }
});
