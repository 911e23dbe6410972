import { createHash } from 'node:crypto';
import { blockToJson, blockToObject } from './block/block-json.ts';
import {
  blockHashingBlob,
  blockId,
  encodeBlock,
  outlineMinerTransaction,
  parseBlock,
  parseBlockSteps,
} from './block/block.ts';
import { fromHex, toHex } from './bytes.ts';
import { DecodeError } from './errors.ts';
import {
  decodeBootstrapBlock,
  decodeBootstrapPackage,
  encodeBootstrapPackage,
} from './bootstrap-file/bootstrap-file.ts';
import { outlinedPackages, outlinePackages } from './bootstrap-file/package-outlines.ts';
import { ExtraNonceBlock } from './block/extra-nonce-block.ts';
import { runAtOnce } from './steps.ts';
import {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  type NextForkChain,
  type NextForkTransaction,
  wideBlob,
} from './testing/next-fork.ts';
import { OutlinedTransactions, outlineTransactions } from './transaction/outlines.ts';
import { outlineTransaction } from './transaction/outline.ts';
import { partsOf } from './transaction/parts.ts';
import { transactionToJson, transactionToObject } from './transaction/transaction-json.ts';
import {
  encodeTransaction,
  parsePrunedTransaction,
  parseTransaction,
  parseTransactionLazily,
} from './transaction/transaction.ts';
import type { ParsedTransaction } from './transaction/types.ts';

const { chains, pool, prunedJson, hashingBlobs } = readNextFork();
const changed = readNextForkChanged();

describe.each(chains.map((chain) => [chain.name, chain] as const))('chain %s', (_, chain) => {
  test('ids, bytes and JSON of its blocks', () => {
    for (const recorded of chain.blocks) {
      const blob = recorded.wide === undefined ? fromHex(recorded.blob) : wideBlob(recorded.wide);
      if (recorded.wide !== undefined) expect(blob).toHaveLength(recorded.wide.blob_length);
      const parsed = parseBlock(blob);
      const { block, minerTx } = parsed;
      expect(toHex(parsed.id)).toBe(recorded.hash);
      expect(toHex(blockId(block))).toBe(recorded.hash);
      expect(toHex(runAtOnce(parseBlockSteps(blob)).id)).toBe(recorded.hash);
      expect(toHex(minerTx.id)).toBe(recorded.minerTxHash);
      expect(toHex(minerTx.prunableHash)).toBe(recorded.minerPrunableHash);
      expect(Buffer.compare(encodeBlock(block), blob)).toBe(0);
      expect(outlineMinerTransaction(blob).outputs).toEqual(block.minerTx.outputs);
      expect(block.tree === undefined).toBe(block.majorVersion < 17);
      if (recorded.json === '') continue;
      expect(blockToJson(block)).toBe(recorded.json);
      expect(blockToObject(block)).toEqual(JSON.parse(recorded.json));
    }
  });

  test('ids, bytes and JSON of its transactions', () => {
    for (const recorded of chain.transactions) checkTransaction(recorded);
  });

  test('outlines of its transactions', () => {
    const txs = chain.transactions.flatMap(({ blob, prunedSize, prunableHash }) => [
      { blob: fromHex(blob) },
      { blob: fromHex(blob).subarray(0, prunedSize), prunableHash: fromHex(prunableHash) },
    ]);
    const outlined = new OutlinedTransactions(outlineTransactions(txs));
    for (const [i, bytes] of txs.entries()) {
      const found = outlined.at(i, bytes);
      expect(toHex(found?.id as Uint8Array)).toBe(chain.transactions[i >> 1]?.hash);
      expectSameParts(found as ParsedTransaction);
    }
  });

  test('its blocks and transactions in a bootstrap file', () => {
    for (const [height, { blob, hash }] of chain.blocks.entries()) {
      if (blob === '') continue;
      const txs = chain.transactions.filter((tx) => tx.height === height);
      const bytes = encodeBootstrapPackage({
        block: fromHex(blob),
        txs: txs.map((tx) => fromHex(tx.blob)),
        weight: 1,
        cumulativeDifficulty: 2n,
        generatedCoins: 3n,
      });
      const content = decodeBootstrapPackage(bytes, 1);
      expect(toHex(content.block.id)).toBe(hash);
      expect(content.txs.map(({ id }) => toHex(id))).toEqual(txs.map((tx) => tx.hash));
    }
  });
});

function checkTransaction(recorded: NextForkTransaction): void {
  const blob = fromHex(recorded.blob);
  const parsed = parseTransaction(blob);
  expect(toHex(parsed.id)).toBe(recorded.hash);
  expect(toHex(parsed.prunableHash)).toBe(recorded.prunableHash);
  expect(parsed.unprunedSize).toBe(recorded.prunedSize);
  expect(Buffer.compare(encodeTransaction(parsed.tx), blob)).toBe(0);
  expect(transactionToJson(parsed)).toBe(recorded.json);
  expect(transactionToObject(parsed)).toEqual(JSON.parse(recorded.json));
  expect(outlineTransaction(blob).outputs).toEqual(parsed.tx.outputs);
  const base = blob.subarray(0, recorded.prunedSize);
  const pruned = parsePrunedTransaction(base, fromHex(recorded.prunableHash));
  expect(toHex(pruned.id)).toBe(recorded.hash);
  expect(pruned.pruned).toBe(true);
  expect(Buffer.compare(encodeTransaction(pruned.tx), base)).toBe(0);
  expect(transactionToJson(pruned)).toBe(transactionToJson(parsed, { pruned: true }));
  expectSameParts(parseTransactionLazily(blob));
  expectSameParts(parseTransactionLazily(base, fromHex(recorded.prunableHash)));
}

/** Expects that the numbers of a scanned transaction are those of its objects. */
function expectSameParts({ parts, tx }: ParsedTransaction): void {
  const of = partsOf(tx);
  const numbers = (found: typeof parts) => [
    found.version,
    found.inputCount,
    found.firstRing,
    found.outputCount,
    found.extraSize,
    found.rctType,
    found.rctFee,
    found.proofRounds,
    found.keyImageCount,
  ];
  expect(numbers(parts)).toEqual(numbers(of));
  for (let i = 0; i < tx.inputs.length; i++) expect(parts.keyImage(i)).toEqual(of.keyImage(i));
  for (let i = 0; i < tx.outputs.length; i++) {
    expect([parts.outputKey(i), parts.commitment(i)]).toEqual([of.outputKey(i), of.commitment(i)]);
  }
}

test('the recordings have transactions of types 6 and 7, and more than 20 inputs and 10 outputs', () => {
  const all = chains.flatMap(({ transactions }) => transactions);
  const parts = all.map(({ blob }) => parseTransaction(fromHex(blob)).parts);
  expect(all).toHaveLength(93);
  expect(new Set(parts.map(({ rctType }) => rctType))).toEqual(new Set([6, 7]));
  expect(Math.max(...parts.map(({ inputCount }) => inputCount))).toBeGreaterThan(20);
  expect(Math.max(...parts.map(({ outputCount }) => outputCount))).toBe(16);
});

test('transactions of the pool, and JSON without prunable parts', () => {
  expect(pool).toHaveLength(6);
  for (const recorded of pool) checkTransaction(recorded);
  const all = [...pool, ...chains.flatMap(({ transactions }) => transactions)];
  for (const [hash, json] of Object.entries(prunedJson)) {
    const recorded = all.find((tx) => tx.hash === hash) as NextForkTransaction;
    const parsed = parseTransaction(fromHex(recorded.blob));
    expect(transactionToJson(parsed, { pruned: true })).toBe(json);
  }
});

test('hashing blobs with the number of transactions, and from 17 on without it if asked for', () => {
  const long = chains.find(({ name }) => name === 'long');
  for (const { height, hashingBlob } of hashingBlobs) {
    const blob = fromHex(long?.blocks[height]?.blob as string);
    const { block } = parseBlock(blob);
    expect(toHex(parseBlock(blob).hashingBlob)).toBe(hashingBlob);
    expect(toHex(blockHashingBlob(block))).toBe(hashingBlob);
    const counted = block.majorVersion < 17 ? hashingBlob : hashingBlob.slice(0, -2);
    expect(toHex(parseBlock(blob, 'fcmp-uncounted').hashingBlob)).toBe(counted);
    expect(toHex(blockHashingBlob(block, 'fcmp-uncounted'))).toBe(counted);
  }
});

test('an extra nonce in the miner transaction of a block with a curve tree', () => {
  const blob = chains.flatMap(({ blocks }) => blocks).at(-1)?.blob as string;
  const { block } = parseBlock(fromHex(blob));
  const variants = new ExtraNonceBlock(block, { offset: 1, size: 4 });
  const variant = variants.blockBlob(Uint8Array.of(1, 2, 3, 4), 7);
  expect(
    variants.hashingBlob(Uint8Array.of(1, 2, 3, 4)).subarray(variants.nonceOffset + 4),
  ).toEqual(parseBlock(variant).hashingBlob.subarray(variants.nonceOffset + 4));
});

describe('changed bytes', () => {
  const accepts = (parse: () => unknown): boolean => {
    try {
      parse();
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return false;
    }
  };
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  test.each(changed.transactions.map((base) => [base.label, base] as const))(
    'transactions %s: refuses to read what upstream does',
    (_, { blob, cases }) => {
      const wrong: string[] = [];
      for (const { name, edits, sha256: digest, log } of cases) {
        const bytes = applyEdits(fromHex(blob), edits);
        expect([name, sha256(bytes)]).toEqual([name, digest]);
        const expected = log[0] !== 'Failed to parse transaction from blob';
        if (accepts(() => parseTransaction(bytes)) !== expected) wrong.push(name);
        if (accepts(() => parseTransactionLazily(bytes)) !== expected)
          wrong.push(`${name}, lazily`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(changed.blocks.map((group) => [group.group, group] as const))(
    'blocks, %s: refuses to read what upstream does',
    (_, { base, cases }) => {
      const wrong: string[] = [];
      for (const { name, edits, sha256: digest, message } of cases) {
        const bytes = applyEdits(fromHex(base), edits);
        expect([name, sha256(bytes)]).toEqual([name, digest]);
        if (accepts(() => parseBlock(bytes)) !== (message !== 'Wrong block blob')) wrong.push(name);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('the formats before the fork', () => {
  const ofType = (type: number) =>
    chains
      .flatMap(({ transactions }) => transactions)
      .map(({ blob }) => fromHex(blob))
      .filter((blob) => parseTransaction(blob).parts.rctType === type);

  test('lack RingCT type 7', () => {
    for (const blob of ofType(7)) {
      expect(() => parseTransaction(blob, 'ringct')).toThrow(DecodeError);
      expect(() => parseTransactionLazily(blob, undefined, 'ringct')).toThrow(DecodeError);
    }
  });

  test('read older transactions as the new ones do', () => {
    for (const blob of ofType(6)) {
      expect(parseTransaction(blob, 'ringct').tx).toEqual(parseTransaction(blob).tx);
      expect(parseTransactionLazily(blob, undefined, 'ringct').tx).toEqual(
        parseTransaction(blob).tx,
      );
    }
  });

  test('have no curve tree in a block of any version', () => {
    const old = chains[0]?.blocks[100]?.blob as string;
    const { block } = parseBlock(fromHex(old));
    const blob = encodeBlock({ ...block, majorVersion: 17 });
    expect(parseBlock(blob, 'ringct').block.tree).toBeUndefined();
    expect(() => parseBlock(blob)).toThrow(DecodeError);
  });

  test('have script hashes in place of Carrot outputs', () => {
    const hex = `010001ff050101${'01'}${'22'.repeat(32)}00`;
    expect(parseTransaction(fromHex(hex), 'ringct').tx.outputs).toEqual([
      { amount: 1n, target: { kind: 'scripthash', hash: fromHex('22'.repeat(32)) } },
    ]);
    expect(() => parseTransaction(fromHex(hex))).toThrow(DecodeError);
  });
});

describe('a bootstrap file of a network without the fork', () => {
  const long = chains.find(({ name }) => name === 'long') as NextForkChain;
  const rest = { weight: 1, cumulativeDifficulty: 1n, generatedCoins: 1n };
  const [type7] = long.transactions.slice(-1).map(({ blob }) => fromHex(blob)) as [Uint8Array];
  const blobOf = (height: number) => fromHex(long.blocks[height]?.blob as string);

  test('has no transactions of RingCT type 7, outlined or not', () => {
    const bytes = encodeBootstrapPackage({ block: blobOf(1), txs: [type7], ...rest });
    const [outlined] = outlinedPackages(outlinePackages([bytes]));
    expect(decodeBootstrapPackage(bytes, 1, outlined).txs[0]?.tx.rct?.type).toBe(7);
    expect(() => decodeBootstrapPackage(bytes, 1, undefined, 'ringct')).toThrow(DecodeError);
    expect(() => decodeBootstrapPackage(bytes, 1, outlined, 'ringct')).toThrow(DecodeError);
  });

  test('has blocks of version 17 without a curve tree, whose hashes are not those of the outlines', () => {
    const block = blobOf(1).slice();
    block[0] = 17;
    const txs = [fromHex(long.transactions[0]?.blob as string)];
    const bytes = encodeBootstrapPackage({ block, txs, ...rest });
    const [outlined] = outlinedPackages(outlinePackages([bytes]));
    expect(outlined?.block?.size).toBe(bytes.length);
    const { id } = parseBlock(block, 'ringct');
    expect(decodeBootstrapPackage(bytes, 1, outlined, 'ringct').block.id).toEqual(id);
    expect(decodeBootstrapBlock(bytes, 'ringct').id).toEqual(id);
  });
});
