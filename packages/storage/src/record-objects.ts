import { HASH_SIZE, hashesIn, joinBytes } from './hash-bytes.ts';
import type { BlockMeta, BlockRecord, StoredOutput, StoredTx } from './records.ts';
import { StorageError } from './storage-error.ts';

/** An output of a block, without its height. */
export interface NewOutput extends Omit<StoredOutput, 'height'> {
  /** The list it joins: 0 is the RCT list, otherwise the clear amount. */
  amount: bigint;
}

/** A block whose parts are objects: easier to make than a record, and far more work for the garbage collector. */
export interface LooseBlock {
  meta: BlockMeta;
  blob: Uint8Array;
  /** The coinbase first, then in the order of the block's hash list. */
  txs: readonly StoredTx[];
  /** Per transaction, in the same order. */
  outputs: readonly (readonly NewOutput[])[];
  /** Of all transactions of the block. */
  keyImages: readonly Uint8Array[];
}

/** Returns the record of a block, with copies of the block's parts. Throws StorageError `bad-record` when a part does not fit. */
export function recordOf({ meta, blob, txs, outputs, keyImages }: LooseBlock): BlockRecord {
  const flat = outputs.flat();
  return {
    meta,
    blob,
    txs: {
      ids: joinHashes(txs.map(({ id }) => id)),
      blobs: txs.map(({ pruned, prunable }) => joinBytes([pruned, prunable])),
      baseSizes: Uint32Array.from(txs, ({ pruned }) => pruned.length),
      prunableHashes: joinHashes(txs.map(({ prunableHash }) => prunableHash)),
      dropped: Uint8Array.from(txs, ({ dropped }) => (dropped === true ? 1 : 0)),
    },
    outputs: {
      counts: Uint32Array.from(outputs, (each) => each.length),
      amounts: BigUint64Array.from(flat, ({ amount }) => checkUint64(amount)),
      unlockTimes: BigUint64Array.from(flat, ({ unlockTime }) => checkUint64(unlockTime)),
      keys: joinHashes(flat.map(({ key }) => key)),
      commitments: joinHashes(flat.flatMap(commitmentIn)),
    },
    keyImages: joinHashes(keyImages),
  };
}

function commitmentIn({ amount, commitment }: NewOutput): Uint8Array[] {
  if ((amount === 0n) !== (commitment !== undefined))
    throw bad('outputs of the RCT list, and only they, have a stored commitment');
  return commitment === undefined ? [] : [commitment];
}

function checkUint64(value: bigint): bigint {
  if (BigInt.asUintN(64, value) !== value) throw bad(`${value} does not fit 64 bits`);
  return value;
}

function joinHashes(hashes: readonly Uint8Array[]): Uint8Array {
  const wrong = hashes.find((hash) => hash.length !== HASH_SIZE);
  if (wrong !== undefined) throw bad(`${HASH_SIZE} bytes expected, got ${wrong.length}`);
  return joinBytes(hashes);
}

function bad(message: string): StorageError {
  return new StorageError('bad-record', message);
}

/** Returns copies of the key images of a record, 32 bytes each. */
export function keyImagesOf({ keyImages }: BlockRecord): Uint8Array[] {
  return hashesIn(keyImages).map((keyImage) => keyImage.slice());
}

/** Returns copies of the transactions of a record. */
export function txsOf({ txs }: BlockRecord): StoredTx[] {
  const { blobs, baseSizes, dropped } = txs;
  const ids = hashesIn(txs.ids);
  const prunableHashes = hashesIn(txs.prunableHashes);
  return blobs.map((blob, i) => ({
    id: new Uint8Array(ids[i] as Uint8Array),
    pruned: new Uint8Array(blob.subarray(0, baseSizes[i])),
    prunable: new Uint8Array(blob.subarray(baseSizes[i])),
    prunableHash: new Uint8Array(prunableHashes[i] as Uint8Array),
    ...(dropped[i] !== 0 && { dropped: true as const }),
  }));
}

/** Returns copies of the outputs of a record, for each transaction. */
export function outputsOf({ outputs }: BlockRecord): NewOutput[][] {
  const { amounts, unlockTimes } = outputs;
  const keys = hashesIn(outputs.keys);
  const commitments = hashesIn(outputs.commitments).values();
  let output = 0;
  return Array.from(outputs.counts, (count) =>
    Array.from({ length: count }, () => {
      const i = output++;
      const amount = amounts[i] as bigint;
      const own = {
        amount,
        key: keys[i]?.slice() as Uint8Array,
        unlockTime: unlockTimes[i] as bigint,
      };
      return amount === 0n
        ? { ...own, commitment: commitments.next().value?.slice() as Uint8Array }
        : own;
    }),
  );
}
