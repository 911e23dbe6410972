import fc from 'fast-check';
import { formatAddress, parseAddress } from './address/address.ts';
import { encodeBlock, parseBlock } from './block/block.ts';
import { fromHex } from './bytes.ts';
import { DecodeError } from './errors.ts';
import { blockToJson } from './block/block-json.ts';
import { parseJson64 } from './json/json64.ts';
import { transactionToJson } from './transaction/transaction-json.ts';
import { decodeStorage, encodeStorage } from './portable-storage/section.ts';
import { LEVIN_STORAGE_LIMITS } from './portable-storage/format.ts';
import { fromBase64, readEras, readFixture } from './testing/fixtures.ts';
import { rctSignatureMessage } from './transaction/hashed-transaction.ts';
import {
  encodeTransaction,
  parsePrunedTransaction,
  parseTransaction,
} from './transaction/transaction.ts';
import { parseTxExtra } from './transaction/tx-extra.ts';

/** Bytes with a meaning in some format: ends of ranges, tags, continuation bits. */
const MEANINGFUL_BYTES = [
  0, 1, 2, 3, 4, 7, 8, 10, 12, 13, 0x7f, 0x80, 0x8a, 0x8c, 0x8d, 0xfc, 0xff,
];

/** Inputs of each kind for each decoder; more with CODEC_FUZZ_RUNS. */
const RUNS = Number(process.env['CODEC_FUZZ_RUNS'] ?? 400);

interface Mutation {
  seed: number;
  edits: { kind: 'set' | 'insert' | 'delete' | 'copy' | 'cut'; at: number; byte: number }[];
}

/** A place in a sample, as a share of its length below 1. */
const share = fc.nat(1e6 - 1).map((n) => n / 1e6);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  seed: fc.nat(),
  edits: fc.array(
    fc.record({
      kind: fc.constantFrom('set', 'set', 'set', 'insert', 'delete', 'copy', 'cut'),
      // Early bytes hold most of the structure, so half of the edits go there.
      at: fc.oneof(
        share,
        share.map((at) => at / 20),
      ),
      byte: fc.oneof(fc.constantFrom(...MEANINGFUL_BYTES), fc.nat(255)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Returns one of the samples with the edits applied. */
function mutate(samples: Uint8Array[], { seed, edits }: Mutation): Uint8Array {
  const bytes = [...(samples[seed % samples.length] as Uint8Array)];
  for (const { kind, at, byte } of edits) {
    const position = Math.floor(at * bytes.length);
    if (kind === 'set') bytes[position] = byte;
    if (kind === 'insert') bytes.splice(position, 0, byte);
    if (kind === 'delete') bytes.splice(position, 1 + (byte % 33));
    if (kind === 'copy') bytes.splice(position, 0, ...bytes.slice(position, position + byte));
    if (kind === 'cut') bytes.length = position;
  }
  return Uint8Array.from(bytes);
}

/** Runs a decoder on mutated samples and on noise, and passes what it decodes to `use`, which checks it. */
function fuzz<T>(
  samples: Uint8Array[],
  decode: (bytes: Uint8Array) => T,
  use: (value: T, bytes: Uint8Array) => void,
): { decoded: number; refused: number } {
  const count = { decoded: 0, refused: 0 };
  const attempt = (bytes: Uint8Array) => {
    let value: T;
    try {
      value = decode(bytes);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      count.refused++;
      return;
    }
    count.decoded++;
    use(value, bytes);
  };
  fc.assert(
    fc.property(mutation, (m) => attempt(mutate(samples, m))),
    { numRuns: RUNS },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), attempt), { numRuns: RUNS });
  return count;
}

const eras = readEras();
const txBlobs = eras.transactions.map((t) => fromHex(t.hex)).filter((b) => b.length < 5000);
const blockBlobs = eras.blocks.map((b) => fromHex(b.hex));
const answers = readFixture('binary-answers.json.gz') as { answer_b64: string }[];
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('parseTransaction', () => {
  const { decoded, refused } = fuzz(txBlobs, parseTransaction, (parsed) => {
    // A parsed transaction has exactly one encoding, and every other function takes it.
    expect(encodeTransaction(parsed.tx)).toEqual(parsed.blob);
    expect(() => JSON.parse(transactionToJson(parsed, { pruned: true }))).not.toThrow();
    expect(parsePrunedTransaction(parsed.blob.subarray(0, parsed.unprunedSize)).prefixHash).toEqual(
      parsed.prefixHash,
    );
    if (parsed.tx.prunable) expect(rctSignatureMessage(parsed)).toHaveLength(32);
    parseTxExtra(parsed.tx.extra);
  });
  expect(decoded * refused).toBeGreaterThan(0);
});

test('parsePrunedTransaction', () => {
  const bases = txBlobs.map((blob) => blob.subarray(0, parseTransaction(blob).unprunedSize));
  const { decoded, refused } = fuzz(bases, parsePrunedTransaction, (parsed) => {
    expect(encodeTransaction(parsed.tx)).toEqual(parsed.blob);
  });
  expect(decoded * refused).toBeGreaterThan(0);
});

test('parseBlock', () => {
  const { decoded, refused } = fuzz(blockBlobs, parseBlock, (parsed) => {
    expect(encodeBlock(parsed.block)).toEqual(parsed.blob);
    if (parsed.block.minerTx.inputs.length === 1) {
      expect(() => JSON.parse(blockToJson(parsed.block))).not.toThrow();
    }
  });
  expect(decoded * refused).toBeGreaterThan(0);
});

test('decodeStorage', () => {
  const samples = answers.map((answer) => fromBase64(answer.answer_b64));
  const decode = (bytes: Uint8Array) => decodeStorage(bytes, LEVIN_STORAGE_LIMITS);
  const { decoded, refused } = fuzz(samples, decode, (section) => {
    if ([...section.keys()].some((name) => name.length > 254)) return;
    const encoded = encodeStorage(section);
    expect(encodeStorage(decodeStorage(encoded))).toEqual(encoded);
  });
  expect(decoded * refused).toBeGreaterThan(0);
});

test('parseJson64', () => {
  const samples = eras.blocks.flatMap((b) => (b.json ? [Buffer.from(b.json)] : []));
  const { decoded, refused } = fuzz(samples, parseJson64, (value) => expect(value).toBeDefined());
  expect(decoded * refused).toBeGreaterThan(0);
});

test('parseAddress', () => {
  const keys = { spendKey: new Uint8Array(32).fill(200), viewKey: new Uint8Array(32).fill(3) };
  const samples = (['mainnet', 'testnet', 'stagenet'] as const).flatMap((network) => [
    formatAddress({ network, kind: 'standard', ...keys }),
    formatAddress({ network, kind: 'integrated', paymentId: new Uint8Array(8), ...keys }),
  ]);
  const { refused } = fuzz(
    samples.map((address) => Buffer.from(address)),
    (bytes) => parseAddress(text(bytes)),
    (address, bytes) => expect(formatAddress(address)).toBe(text(bytes)),
  );
  expect(refused).toBeGreaterThan(RUNS);
});

test('parseTxExtra never throws', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1, 2, 3, 4, 9, 33, 0xde, 0x80), { maxLength: 300 }),
      (bytes) => {
        expect(parseTxExtra(Uint8Array.from(bytes))).toBeInstanceOf(Array);
      },
    ),
    { numRuns: RUNS },
  );
});

test('allocates nothing for counts larger than the input', () => {
  const before = process.memoryUsage().rss;
  const huge = ['ffffffffffffff7f', 'ffffffff0f', 'ffffff7f'];
  for (const count of huge) {
    const inputs = '01' + '00' + count + 'ff00'.repeat(20);
    const ring = '02' + '00' + '01' + '02' + '00' + count + '01'.repeat(50);
    const proofs =
      '02' + '00' + '01' + '02' + '0001' + '05' + 'aa'.repeat(32) + '00' + '00' + '03' + count;
    for (const hex of [inputs, ring, proofs]) {
      expect(() => parseTransaction(fromHex(hex))).toThrow(DecodeError);
    }
  }
  // Type 1 multiplies ring members by inputs: a thousand of each would be a million keys from 37 kB.
  const keyImage = 'aa'.repeat(32);
  const first = '0200' + 'e807' + '01'.repeat(1000) + keyImage;
  const others = ('020000' + keyImage).repeat(999);
  const square = '02' + '00' + 'e807' + first + others + '00' + '00' + '01' + '00';
  expect(() => parseTransaction(fromHex(square))).toThrow(/^32032032 bytes needed/);
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
});
