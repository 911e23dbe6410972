import { runAtOnce } from '@monero-node/base';
import { recordOf } from '../../record-objects.ts';
import { StorageError } from '../../storage-error.ts';
import { decodeAltBlock, encodeAltBlock } from './alt-row.ts';
import { decodeMeta, encodeMeta, rctListLengthOf } from './meta-row.ts';
import { decodeOutput, encodeOutputs, outputHeightOf } from './output-row.ts';
import { decodePoolMeta, encodePoolMeta } from './pool-row.ts';
import { dropPrunable, packPrunable, unpackPrunable } from './prunable-pack.ts';
import { PackedTxs, packTxsSteps } from './tx-pack.ts';

const hash = new Uint8Array(32).fill(7);
const blob = new Uint8Array(50).fill(9);
const sizes = { weight: 80_000, longTermWeight: 80_000, timestamp: 1_700_000_000 };
const sums = { cumulativeDifficulty: 3n << 70n, generatedCoins: 1n << 60n };
const meta = {
  height: 5,
  id: hash,
  ...sizes,
  ...sums,
  cumulativeTxCount: 9,
  cumulativeRctOutputs: 8,
  majorVersion: 16,
  minorVersion: 16,
};
const tx = { id: hash, pruned: blob, prunable: blob, prunableHash: hash };
const output = { amount: 0n, key: hash, commitment: hash, unlockTime: 60n };
const poolMeta = {
  weight: 1500,
  fee: 30_000n,
  receiveTime: 5,
  maxUsedBlockHeight: 3,
  maxUsedBlockId: hash,
  lastFailedHeight: 0,
  lastFailedId: hash,
  relayMethod: 1,
  relayed: true,
  doubleSpendSeen: false,
  verified: { version: 16, ring: hash },
};
const alt = { id: hash, height: 4, prevId: hash, weight: 90, ...sums, blob, txs: [blob, blob] };

const parts = {
  meta,
  blob,
  txs: [tx, { ...tx, prunable: new Uint8Array(0), dropped: true as const }],
  outputs: [[output], []],
  keyImages: [blob.subarray(0, 32), hash],
};

/** A reader for each kind of row; the first byte of an input is an index here. */
const READERS: readonly ((row: Uint8Array) => void)[] = [
  (row) => encodeMeta(decodeMeta(5, row), rctListLengthOf(row)),
  (row) => {
    const packed = new PackedTxs(row);
    packed.allRuns();
    packed.keyImages();
    for (let position = 0; position < packed.txCount; position++) {
      packed.id(position);
      packed.pruned(position);
      packed.runs(position);
    }
  },
  (row) => unpackPrunable(row, 0),
  (row) => {
    const dropped = dropPrunable(row);
    if (dropped && dropPrunable(dropped) !== undefined) throw new Error('dropped twice');
  },
  (row) => {
    const { height, ...output } = decodeOutput(row);
    if (height !== outputHeightOf(row)) throw new Error('two heights');
    const amount = output.commitment === undefined ? 1n : 0n;
    encodeOutputs(
      recordOf({ ...parts, meta: { ...meta, height }, outputs: [[{ ...output, amount }]] }),
    );
  },
  (row) => encodePoolMeta(decodePoolMeta(row)),
  (row) => encodeAltBlock(decodeAltBlock(hash, row)),
];
const record = recordOf(parts);
const runs = [{ amount: 0n, first: 4, count: 2 }];
const rows = [
  encodeMeta(meta, 8),
  runAtOnce(packTxsSteps(record.txs, { runs, ends: [1, 1] }, record.keyImages)),
  packPrunable(record.txs),
  packPrunable(recordOf({ ...parts, txs: [tx, tx] }).txs),
  encodeOutputs(record).rct,
  encodePoolMeta(poolMeta),
  encodeAltBlock(alt),
];

export const maxLength = 8192;
export const seeds = rows.map((row, kind) => Uint8Array.of(kind, ...row));

/** A row that was changed on disk is read or refused with StorageError. */
export function fuzz(input: Uint8Array): void {
  const read = READERS[(input[0] ?? 0) % READERS.length] as (row: Uint8Array) => void;
  try {
    read(input.slice(1));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
