import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  encodeTransaction,
  parseBlock,
  parseTransaction,
  partsOf,
  type ParsedTransaction,
  type Transaction,
} from '@monero-node/codec';
import { NETWORKS, verifyTransaction, type KnownRingMember } from '@monero-node/consensus';
import { createBackend, isCurvePoint, type RingPoint } from '@monero-node/crypto';
import { createTestRandom } from '@monero-node/crypto/testing';
import { makeTransaction } from '../testing/make-transaction.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { EASY } from '../testing/test-chain.ts';

const recorded = new URL('../../../consensus/fixtures/mainnet.json.gz', import.meta.url);
const { transactions } = JSON.parse(gunzipSync(readFileSync(recorded)).toString('utf8')) as {
  transactions: Record<string, string>;
};
const backend = createBackend();
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

interface Case {
  readonly parsed: ParsedTransaction;
  readonly rings: readonly (readonly KnownRingMember[])[];
  readonly version: number;
}

const verdict = async ({ parsed, rings, version }: Case, outputCount?: () => number) => {
  const options = { version, backend, ...(outputCount && { outputCount }) };
  const result = await verifyTransaction(parsed, rings, options);
  return result.ok ? 'ok' : result.code;
};

/** Returns a copy with all hashes as properties, which may be changed. */
function plain(parsed: ParsedTransaction): ParsedTransaction {
  const { id, prefixHash, prunableHash, rctBaseHash, signatureMessage } = parsed;
  const { tx, parts } = parsed;
  return { ...parsed, tx, parts, id, prefixHash, prunableHash, rctBaseHash, signatureMessage };
}

describe('every rule', () => {
  const made = new SpendableChain(EASY);
  made.mineMany(80);
  const outputs = made.blocks.map(({ parsed }) => parsed.minerTx.tx.outputs[0]);
  const random = createTestRandom('another transaction');
  const member = (index: number): RingPoint => {
    const output = outputs[index];
    const key = output?.target.kind === 'tagged-key' ? output.target.key : new Uint8Array();
    return { key, commitment: backend.commitToAmount(output?.amount ?? 0n) };
  };
  const ringsOf = ({ tx }: ParsedTransaction): RingPoint[][] =>
    tx.inputs.map((input) => {
      let index = 0;
      const offsets = input.kind === 'key' ? input.keyOffsets : [];
      return offsets.map((offset) => member((index += Number(offset))));
    });
  const base = made.spend([3, 5]);
  const valid: Case = { parsed: base, rings: ringsOf(base), version: 16 };

  /** The same, with the transaction changed but not encoded again. */
  const changed = (change: (tx: Transaction) => Partial<Transaction>, from = valid): Case => {
    const { tx } = parseTransaction(from.parsed.blob.slice());
    const altered = { ...tx, ...change(tx) };
    return { ...from, parsed: { ...plain(from.parsed), tx: altered, parts: partsOf(altered) } };
  };
  /** The same, with the transaction changed in place. */
  const spoilt = (spoil: (tx: Transaction) => unknown, from = valid): Case =>
    changed((tx) => {
      spoil(tx);
      return {};
    }, from);
  const input = (tx: Transaction, at = 0) => {
    const found = tx.inputs[at];
    if (found?.kind !== 'key') throw new Error('no key input');
    return found;
  };
  const noPoint = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 2 : 0));
  /** A transaction of version 1 of mainnet, its rings with any members. */
  const old = (
    version: number,
    id = '9e3f73e66d7c7293af59c59c1ff5d6aae047289f49e5884c66caaf4aea49fb34',
  ): Case => {
    const parsed = parseTransaction(bytes(transactions[id] ?? ''));
    return { parsed, rings: ringsLike(parsed), version };
  };
  const ringsLike = ({ tx }: ParsedTransaction): RingPoint[][] =>
    tx.inputs.map((each) => (each.kind === 'key' ? each.keyOffsets.map(() => member(0)) : []));
  /** The same with these offsets in every input, and as many members in its ring. */
  const withOffsets = (each: Case, offsets: readonly bigint[]): Case => {
    const { inputs } = each.parsed.tx;
    for (const one of inputs) if (one.kind === 'key') one.keyOffsets = [...offsets];
    return { ...each, rings: ringsLike(each.parsed) };
  };
  const typeTwo = parseTransaction(
    bytes(transactions['4a5fd752ebb0bb9bc6c82ad0b9bf1d0df02401aeb1c6cecbffd506902636cd7f'] ?? ''),
  );
  const middle: Case = { parsed: typeTwo, rings: ringsLike(typeTwo), version: 7 };
  const huge = (1n << 64n) - 1n;

  test('accepts a made transaction and decodes what it needs', async () => {
    expect(isCurvePoint(noPoint)).toBe(false);
    expect(await verdict(valid)).toBe('ok');
  });

  const oneOutput = makeTransaction({
    inputs: [made.coinbase(3)],
    outputs: 1,
    fee: 1n,
    random,
    member,
    ring: () => Array.from({ length: 16 }, (_, i) => i),
  });
  const small = made.spend([3], { ringSize: 15 });
  const { minerTx } = parseBlock(NETWORKS.mainnet.genesisBlob);

  const cases: readonly (readonly [string, () => Case])[] = [
    ['bad-tx-blob', () => ({ ...valid, parsed: { ...plain(base), pruned: true } })],
    [
      'tx-too-big',
      () => ({ ...valid, parsed: { ...plain(base), blob: new Uint8Array(1_000_001) } }),
    ],
    ['tx-version', () => changed(() => ({ version: 3 as 2 }))],
    ['no-inputs', () => ({ ...changed(() => ({ inputs: [] })), rings: [] })],
    ['input-type', () => ({ parsed: minerTx, rings: [], version: 1 })],
    [
      'output-key',
      () =>
        spoilt(({ outputs: [first] }) => {
          if (first?.target.kind === 'tagged-key') first.target.key = noPoint;
        }),
    ],
    ['output-amount', () => spoilt(({ outputs: [first] }) => first && (first.amount = 1n))],
    [
      'output-type',
      () =>
        changed(({ outputs: all }) => ({
          outputs: all.map(({ amount }) => ({ amount, target: { kind: 'key', key: noPoint } })),
        })),
    ],
    ['out-pk-count', () => spoilt(({ rct }) => rct?.outPk.pop())],
    [
      'amount-overflow',
      () => spoilt(({ outputs: all }) => all.forEach((output) => (output.amount = huge))),
    ],
    [
      'overspend',
      () => spoilt(({ outputs: [first] }) => first && (first.amount = huge >> 1n), old(1)),
    ],
    [
      'output-decomposition',
      () => spoilt(({ outputs: [first] }) => first && (first.amount = 11n), old(2)),
    ],
    ['duplicate-key-image', () => spoilt((tx) => (input(tx, 1).keyImage = input(tx).keyImage))],
    ['duplicate-ring-member', () => spoilt((tx) => (input(tx).keyOffsets[1] = 0n))],
    [
      'bad-key-image',
      () => spoilt((tx) => (input(tx, 1).keyImage = Uint8Array.of(1, ...new Uint8Array(31)))),
    ],
    ['key-image-encoding', () => spoilt((tx) => (input(tx, 1).keyImage = noPoint))],
    ['rct-type', () => spoilt(({ rct }) => rct && (rct.type = 5))],
    ['proof-layout', () => spoilt(({ prunable }) => prunable?.clsags.pop())],
    ['bad-range-proof', () => spoilt(({ prunable }) => prunable?.bulletproofsPlus[0]?.r1.fill(1))],
    ['bad-balance', () => spoilt(({ rct }) => rct && (rct.fee += 1n))],
    ['too-few-outputs', () => ({ parsed: oneOutput, rings: ringsOf(oneOutput), version: 16 })],
    ['ring-size', () => ({ parsed: small, rings: ringsOf(small), version: 16 })],
    ['not-ringct', () => withOffsets(old(6), [7n, 1n, 1n, 1n, 1n])],
    [
      'unsorted-inputs',
      () => {
        const { tx } = parseTransaction(base.blob.slice());
        tx.inputs.reverse();
        const parsed = parseTransaction(encodeTransaction(tx));
        return { ...valid, parsed };
      },
    ],
    [
      'empty-ring',
      () => ({
        ...spoilt((tx) => (input(tx).keyOffsets = []), middle),
        rings: [[], ...middle.rings.slice(1)],
      }),
    ],
    [
      'ring-member-missing',
      () => ({
        ...valid,
        rings: valid.rings.map((ring, i) => (i === 1 ? [undefined, ...ring.slice(1)] : ring)),
      }),
    ],
    ['bad-ring-signature', () => spoilt(({ prunable }) => prunable?.clsags[1]?.s[2]?.fill(1))],
  ];

  test.each(cases)('%s', async (code, make) => {
    expect(await verdict(make())).toBe(code);
  });

  test('mixable-inputs', async () => {
    const many = old(2, '2180a87f724702d37af087e22476297e818a73579ef7b7da947da963245202a3');
    const decomposed = spoilt(
      ({ outputs: all }) => all.forEach((each) => (each.amount = 1n)),
      many,
    );
    // Rings of one member are for outputs that cannot be mixed. With one such output, one other may be spent.
    const alone = withOffsets(decomposed, [7n]);
    let asked = 0;
    expect(await verdict(alone, () => (asked++ === 0 ? 1 : 99))).toBe('mixable-inputs');
    expect(await verdict(alone, () => 1)).toBe('bad-ring-signature');
    expect(await verdict(alone)).toBe('ring-size');
  });

  test('throws for rings that are not those of the inputs, and for options that make no sense', async () => {
    const { parsed, rings, version } = valid;
    const run = (given: Case['rings'], options = { version, backend }) =>
      verifyTransaction(parsed, given, options);
    await expect(run(rings.slice(1))).rejects.toThrow('1 rings for 2 inputs');
    await expect(run([...rings.slice(1), []])).rejects.toThrow('ring 1 has 0 members, not 16');
    await expect(run(rings, { version: 99, backend })).rejects.toThrow(RangeError);
    await expect(verifyTransaction(parsed, rings, { version })).rejects.toThrow(RangeError);
  });
});
