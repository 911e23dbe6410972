import { createReferenceBackend } from '@monero-node/crypto';
import { keccak256 } from '@monero-node/keccak';
import { concatBytes, fromHex, toHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { transactionToJson } from './transaction-json.ts';
import { readEras, type RecordedTransaction } from '../testing/fixtures.ts';
import { proofBytes, rctSignatureMessage } from './hashed-transaction.ts';
import { encodeTransaction, parsePrunedTransaction, parseTransaction } from './transaction.ts';
import { outputKey } from './read-transaction.ts';
import type { ParsedTransaction, RangeSig, Transaction } from './types.ts';

const { transactions } = readEras();
const named = transactions.map((t) => [t.what, t] as const);
const find = (what: string) =>
  transactions.find((t) => t.what.startsWith(what)) as RecordedTransaction;
const ZERO = '00'.repeat(32);
const HASH_OF_NOTHING = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** The miner transactions of the genesis blocks: mainnet and testnet share one. */
const GENESIS = {
  mainnet: {
    hex: '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1',
    id: 'c88ce9783b4f11190d7b9c17a69c1c52200f9faaee8e98dd07e6811175177139',
  },
  stagenet: {
    hex: '013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b',
    id: 'c099809301da6ad2fde11969b0e9cb291fc698f8dc678cef00506e7baf561de4',
  },
};

test('the fixture has every RingCT type and version 1', () => {
  const kinds = transactions.map((t) => parseTransaction(fromHex(t.hex)).tx.rct?.type ?? 'v1');
  expect(new Set(kinds)).toEqual(new Set(['v1', 1, 2, 3, 4, 5, 6]));
});

describe.each(named)('%s', (_, recorded) => {
  const blob = fromHex(recorded.hex);
  const parsed = parseTransaction(blob);

  test('id, bytes and JSON', () => {
    expect(toHex(parsed.id)).toBe(recorded.hash);
    expect(parsed.blob).toEqual(blob);
    expect(parsed.blob.buffer).toBe(blob.buffer);
    expect(toHex(encodeTransaction(parsed.tx))).toBe(recorded.hex);
    expect(transactionToJson(parsed)).toBe(recorded.json);
    expect(transactionToJson(parsed.tx)).toBe(recorded.json);
    expect(parsed.pruned).toBe(false);
  });

  test('pruned form', () => {
    if (recorded.prunedSize === undefined) return;
    expect(parsed.unprunedSize).toBe(recorded.prunedSize);
    expect(toHex(parsed.prunableHash)).toBe(recorded.prunableHash);
    expect(transactionToJson(parsed, { pruned: true })).toBe(recorded.prunedJson);
    const base = blob.subarray(0, recorded.prunedSize);
    const pruned = parsePrunedTransaction(base, fromHex(recorded.prunableHash as string));
    expect(pruned.pruned).toBe(true);
    expect(pruned.blob).toEqual(base);
    expect(toHex(pruned.id)).toBe(parsed.tx.version === 1 ? ZERO : recorded.hash);
    expect(toHex(parsePrunedTransaction(base).id)).toBe(ZERO);
    expect(pruned.prefixHash).toEqual(parsed.prefixHash);
    expect(transactionToJson(pruned)).toBe(recorded.prunedJson);
    expect(encodeTransaction(pruned.tx)).toEqual(base);
    expect(() => parsePrunedTransaction(blob)).toThrow(DecodeError);
  });

  test('is refused when cut off or with a byte more', () => {
    const step = Math.max(1, Math.floor(blob.length / 300));
    for (let end = 0; end < blob.length; end += step) {
      expect(() => parseTransaction(blob.subarray(0, end))).toThrow(DecodeError);
    }
    expect(() => parseTransaction(Uint8Array.of(...blob, 0))).toThrow(DecodeError);
  });
});

describe('coinbase', () => {
  test.each(Object.entries(GENESIS))('%s genesis', (_, { hex, id }) => {
    const parsed = parseTransaction(fromHex(hex));
    expect(toHex(parsed.id)).toBe(id);
    expect(toHex(parsed.prunableHash)).toBe(ZERO);
    expect(parsed.tx).toMatchObject({
      version: 1,
      unlockTime: 60n,
      inputs: [{ kind: 'gen', height: 0 }],
      outputs: [{ amount: 17592186044415n }],
      signatures: [[]],
    });
    // The base form is the whole transaction, so this one is not pruned.
    const base = parsePrunedTransaction(fromHex(hex));
    expect(base.pruned).toBe(false);
    expect(toHex(base.id)).toBe(id);
  });

  test('version 2: the id contains zeros, although the prunable hash is the hash of no bytes', () => {
    const [input, output] = ['01ff05', '0100' + '03' + 'aa'.repeat(32) + '7f'];
    const parsed = parseTransaction(fromHex('02' + '3c' + input + output + '00' + '00'));
    expect(toHex(parsed.prunableHash)).toBe(HASH_OF_NOTHING);
    expect(toHex(parsed.rctBaseHash as Uint8Array)).toBe(
      'bc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a',
    );
    const expected = [parsed.prefixHash, keccak256(Uint8Array.of(0)), new Uint8Array(32)];
    expect(parsed.id).toEqual(keccak256(concatBytes(...expected)));
    expect(parsed.tx.outputs[0]?.target).toMatchObject({ kind: 'tagged-key', viewTag: 0x7f });
    const fromBase = parsePrunedTransaction(parsed.blob);
    expect(fromBase).toEqual(parsed);
    expect([fromBase.id, fromBase.prunableHash]).toEqual([parsed.id, parsed.prunableHash]);
  });
});

describe('inputs and outputs that were never valid', () => {
  const prev = '11'.repeat(32);
  const key = '22'.repeat(32);
  const script = '00' + prev + '05' + '02aabb';
  const scriptHash = '01' + prev + '06' + '01' + key + '01cc' + '00';
  const outputs = '02' + '07' + '00' + '01' + key + '01dd' + '08' + '01' + prev;
  const hex = '01' + '00' + '02' + script + scriptHash + outputs + '00';

  test('parse and encode', () => {
    const { tx } = parseTransaction(fromHex(hex), 'ringct');
    expect(tx.inputs).toEqual([
      { kind: 'script', prev: fromHex(prev), prevout: 5n, sigset: fromHex('aabb') },
      {
        kind: 'scripthash',
        prev: fromHex(prev),
        prevout: 6n,
        keys: [fromHex(key)],
        script: fromHex('cc'),
        sigset: fromHex(''),
      },
    ]);
    expect(tx.outputs).toEqual([
      { amount: 7n, target: { kind: 'script', keys: [fromHex(key)], script: fromHex('dd') } },
      { amount: 8n, target: { kind: 'scripthash', hash: fromHex(prev) } },
    ]);
    expect(tx.outputs.map((output) => outputKey(output.target))).toEqual([undefined, undefined]);
    expect(toHex(encodeTransaction(tx))).toBe(hex);
    // monerod writes commas between the signatures of inputs without any, which is not valid JSON.
    expect(transactionToJson(tx).endsWith('"signatures": [ , ]\n}')).toBe(true);
    const json = JSON.parse(transactionToJson(tx, { pruned: true })) as Record<string, unknown>;
    expect(json['vin']).toEqual([
      { script: { prev, prevout: 5, sigset: [0xaa, 0xbb] } },
      { scripthash: { prev, prevout: 6, script: { keys: [key], script: [0xcc] }, sigset: [] } },
    ]);
    expect(json['vout']).toEqual([
      { amount: 7, target: { script: { keys: [key], script: [0xdd] } } },
      { amount: 8, target: { scripthash: prev } },
    ]);
  });
});

describe('refuses', () => {
  const key = 'aa'.repeat(32);
  const oneOutput = '01' + '00' + '02' + key;
  test.each([
    ['version 0', '00' + '00' + '01ff05' + oneOutput + '00'],
    ['version 3', '03' + '00' + '01ff05' + oneOutput + '00'],
    ['an unknown input', '01' + '00' + '010305' + oneOutput + '00'],
    ['an unknown target', '01' + '00' + '01ff05' + '01' + '00' + '04' + key + '00'],
    ['version 2 without inputs', '02' + '00' + '00' + oneOutput + '00'],
    ['a type above 6', '02' + '00' + '01ff05' + oneOutput + '00' + '07'],
    ['a height beyond 2^53', '01' + '00' + '01ffffffffffffffff7f' + oneOutput + '00'],
    ['more inputs than bytes', '01' + '00' + 'ffffffff0f' + 'ff05'],
    ['more offsets than bytes', '01' + '00' + '01' + '02' + '00' + 'ffffffffffffffffff01' + '00'],
    ['more extra than bytes', '01' + '00' + '01ff05' + oneOutput + 'ffff03'],
    ['nothing', ''],
  ])('%s', (_, hex) => {
    expect(() => parseTransaction(fromHex(hex))).toThrow(DecodeError);
  });

  /** A recorded transaction with something changed, in bytes. */
  function changed(what: string, change: (tx: Transaction) => void): Uint8Array {
    const { tx } = parseTransaction(fromHex(find(what).hex));
    change(tx);
    return encodeTransaction(tx);
  }
  const proof = (tx: Transaction) =>
    tx.prunable?.bulletproofsPlus[0] as { L: Uint8Array[]; R: Uint8Array[] };

  test.each<[string, (tx: Transaction) => void]>([
    ['no range proof', (tx) => tx.prunable?.bulletproofsPlus.pop()],
    ['two range proofs', (tx) => tx.prunable?.bulletproofsPlus.push(proof(tx) as never)],
    ['more L than R', (tx) => proof(tx).R.pop()],
    ['no L and no R', (tx) => Object.assign(proof(tx), { L: [], R: [] })],
    [
      'too few rounds for two outputs',
      (tx) => Object.assign(proof(tx), { L: proof(tx).L.slice(1), R: proof(tx).R.slice(1) }),
    ],
    [
      'eleven rounds',
      (tx) => {
        const rounds = Array<Uint8Array>(11).fill(new Uint8Array(32));
        Object.assign(proof(tx), { L: rounds, R: rounds });
      },
    ],
    [
      'an output without a key',
      (tx) => {
        (tx.outputs[0] as { target: unknown }).target = {
          kind: 'scripthash',
          hash: new Uint8Array(32),
        };
      },
    ],
  ])('RingCT type 6 with %s', (_, change) => {
    expect(() => parseTransaction(changed('v2 type 6', () => undefined))).not.toThrow();
    expect(() => parseTransaction(changed('v2 type 6', change))).toThrow(DecodeError);
  });

  test('a RingCT transaction whose first input has no ring members', () => {
    const blob = changed('v2 type 6', (tx) => {
      const [input] = tx.inputs;
      if (input?.kind === 'key') input.keyOffsets = [];
      for (const sig of tx.prunable?.clsags ?? []) sig.s = [];
    });
    expect(() => parseTransaction(blob)).toThrow(DecodeError);
  });

  test('31250 ring members in all inputs together, but not 31249', () => {
    const withRings = (...rings: number[]) =>
      encodeTransaction({
        version: 1,
        unlockTime: 0n,
        inputs: rings.map((ring) => ({
          kind: 'key',
          amount: 1n,
          keyOffsets: Array<bigint>(ring).fill(1n),
          keyImage: new Uint8Array(32),
        })),
        outputs: [],
        extra: new Uint8Array(0),
        signatures: rings.map((ring) => Array<Uint8Array>(ring).fill(new Uint8Array(64))),
      });
    expect(parseTransaction(withRings(31249)).tx.inputs).toHaveLength(1);
    expect(parseTransaction(withRings(31000, 249)).tx.inputs).toHaveLength(2);
    expect(() => parseTransaction(withRings(31250))).toThrow(DecodeError);
    expect(() => parseTransaction(withRings(31000, 250))).toThrow(DecodeError);
  });
});

test('a varint cut off by the end of the blob is accepted and completed', () => {
  const hex = '01' + '00' + '01ff05' + '00';
  const parsed = parseTransaction(fromHex(hex + '8080'));
  expect(toHex(parsed.blob)).toBe(hex + '00');
  expect(parsed.id).toEqual(keccak256(fromHex(hex + '00')));
  const whole = parseTransaction(fromHex(hex + '00'));
  expect(parsed).toEqual(whole);
  expect([parsed.id, parsed.prefixHash]).toEqual([whole.id, whole.prefixHash]);
});

describe('the signed message', () => {
  const { hashes, parts } = {
    hashes: (...inputs: Uint8Array[]) => keccak256(concatBytes(...inputs.map(keccak256))),
    parts: ({ blob, prefixSize, unprunedSize }: ParsedTransaction) => ({
      prefix: blob.subarray(0, prefixSize),
      base: blob.subarray(prefixSize, unprunedSize),
      prunable: blob.subarray(unprunedSize),
    }),
  };

  test('covers the range signatures of more outputs than a call may have arguments for', () => {
    const key = new Uint8Array(32).fill(3);
    const sig = {
      s0: Array(64).fill(key),
      s1: Array(64).fill(key),
      ee: key,
      Ci: Array(64).fill(key),
    };
    const prunable = {
      rangeSigs: Array(2000).fill(sig) as RangeSig[],
      bulletproofs: [],
      bulletproofsPlus: [],
      mlsags: [],
      clsags: [],
      pseudoOuts: [],
    };
    const bytes = proofBytes(prunable);
    expect(bytes.length).toBe(2000 * 193 * 32);
    expect(bytes.every((byte) => byte === 3)).toBe(true);
  });

  test.each(['v2 type 1', 'v2 type 2'])('%s covers the bytes of the range signatures', (what) => {
    const parsed = parseTransaction(fromHex(find(what).hex));
    const { prefix, base, prunable } = parts(parsed);
    const range = prunable.subarray(0, parsed.tx.outputs.length * 6176);
    expect(rctSignatureMessage(parsed)).toEqual(hashes(prefix, base, range));
  });

  test.each([
    ['v2 type 3', 4],
    ['v2 type 4', 1],
  ])('%s covers the proof without its lengths', (what, countSize) => {
    const parsed = parseTransaction(fromHex(find(what).hex));
    const { prefix, base, prunable } = parts(parsed);
    const proof = prunable.subarray(countSize);
    const rounds = proof[192] as number;
    const afterL = 193 + 32 * rounds;
    const kv = concatBytes(
      proof.subarray(0, 192),
      proof.subarray(193, afterL),
      proof.subarray(afterL + 1, afterL + 1 + 32 * rounds + 96),
    );
    expect(rctSignatureMessage(parsed)).toEqual(hashes(prefix, base, kv));
  });

  const withRing = transactions.filter((t) => t.ring !== undefined);
  test.each(withRing.map((t) => [t.what, t] as const))('%s verifies', (_, recorded) => {
    const parsed = parseTransaction(fromHex(recorded.hex));
    const { tx } = parsed;
    const input = tx.inputs[0] as { keyImage: Uint8Array };
    const message = rctSignatureMessage(parsed);
    const proof = {
      message,
      ring: (recorded.ring ?? []).map((member) => ({
        key: fromHex(member.slice(0, 64)),
        commitment: fromHex(member.slice(64)),
      })),
      pseudoOut: tx.prunable?.pseudoOuts[0] as Uint8Array,
      keyImage: input.keyImage,
      ...(tx.prunable?.clsags[0] as { s: Uint8Array[]; c1: Uint8Array; D: Uint8Array }),
    };
    const other = { ...proof, message: keccak256(message) };
    expect(createReferenceBackend().verifyClsag([proof, other])).toEqual([true, false]);
  });

  test('does not exist without signatures', () => {
    const v1 = parseTransaction(fromHex(find('v1').hex));
    expect(() => rctSignatureMessage(v1)).toThrow(RangeError);
    const full = find('v2 type 6');
    const base = fromHex(full.hex).subarray(0, full.prunedSize);
    expect(() => rctSignatureMessage(parsePrunedTransaction(base))).toThrow(RangeError);
  });
});
