import type { AltBlock, BlockMeta, BlockOutputs, BlockRecord, BlockTxs } from './records.ts';
import type { StoreChange } from './chain-store.ts';
import type { PoolTx } from './pool-store.ts';
import { StorageError } from './storage-error.ts';
import type { Yielder } from '@monero-node/base';
import { FlatHashMap } from './flat-hash-map.ts';
import { HASH_SIZE } from './hash-bytes.ts';

/** The committed state that a change is checked against. */
export interface ChainIndex {
  readonly height: number;
  heightOf(id: Uint8Array): number | undefined;
  /** Returns what finds the transaction ids and key images of a block that is to be appended. */
  heightsOf(block: BlockRecord): HeightOfHash;
}

/**
 * Returns the height of the block that holds a transaction or has spent a key image.
 *
 * @param source holds the 32 bytes of the id or key image from `offset` on
 */
export type HeightOfHash = (
  kind: 'tx_id' | 'key_image',
  source: Uint8Array,
  offset: number,
) => number | undefined;

/** Positions are kept in 21 bits. A block with that many transactions would have 64 MiB of ids alone. */
const MAX_TXS = 2 ** 21;
const MAX_U32 = 0xffff_ffff;
const MAX_U64 = (1n << 64n) - 1n;
const MAX_U128 = (1n << 128n) - 1n;

/**
 * Checks everything that could make a change fail, so that applying it afterwards cannot fail.
 * Returns the height of the first appended block.
 *
 * Throws StorageError with the codes listed at `ChainWriter.commit`.
 */
export async function checkChange(
  index: ChainIndex,
  change: StoreChange,
  yielder: Yielder,
): Promise<number> {
  const base = change.popTo ?? index.height;
  if (!Number.isInteger(base) || base < 0 || base > index.height) {
    throw new StorageError(
      'bad-height',
      `cannot pop to ${base}: the chain has ${index.height} blocks`,
    );
  }
  const blocks = change.append ?? [];
  const newBlocks = new NewHashes('duplicate-block', base, blocks.length);
  const newTxs = new NewHashes(
    'duplicate-tx',
    base,
    hashCount(blocks, ({ txs }) => txs.ids),
  );
  const newKeyImages = new NewHashes(
    'duplicate-key-image',
    base,
    hashCount(blocks, ({ keyImages }) => keyImages),
  );
  let height = base;
  for (const block of blocks) {
    if (block.meta.height !== height) {
      throw new StorageError(
        'bad-height',
        `block ${hex(block.meta.id)} claims height ${block.meta.height}, the chain continues at ${height}`,
      );
    }
    if (height > MAX_U32) throw new StorageError('bad-height', 'heights are limited to 32 bits');
    checkShape(block);
    const { id } = block.meta;
    newBlocks.add(id, 0, height, index.heightOf(id));
    const heightOf = index.heightsOf(block);
    const { ids } = block.txs;
    for (let i = 0; i < ids.length; i += HASH_SIZE) {
      newTxs.add(ids, i, height, heightOf('tx_id', ids, i));
      if (isPause(i) && yielder.due) await yielder.yieldNow();
    }
    const { keyImages } = block;
    for (let i = 0; i < keyImages.length; i += HASH_SIZE) {
      if (isPause(i) && yielder.due) await yielder.yieldNow();
      newKeyImages.add(keyImages, i, height, heightOf('key_image', keyImages, i));
    }
    height += 1;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
  }
  for (const at of change.prune ?? []) {
    if (!Number.isInteger(at) || at < 0 || at >= base) {
      throw new StorageError(
        'bad-height',
        `cannot prune block ${at}: the chain has ${base} blocks`,
      );
    }
  }
  for (const id of change.removeAlt ?? []) checkBytes(id, 'alternative block id');
  for (const alt of change.putAlt ?? []) checkAltBlock(alt);
  for (const id of change.removePool ?? []) checkBytes(id, 'pool transaction id');
  for (const tx of [...(change.putPool ?? []), ...(change.updatePool ?? [])]) checkPoolTx(tx);
  return base;
}

/** Look-ups between two of the clock. One takes a microsecond, or as long as the disk needs. */
const LOOKUPS_PER_STEP = 8;

/**
 * Returns whether to look at the clock before a hash is looked up.
 *
 * @param offset of the hash among others
 */
export function isPause(offset: number): boolean {
  return (offset / HASH_SIZE) % LOOKUPS_PER_STEP === 0;
}

const DUPLICATES = {
  'duplicate-block': 'block',
  'duplicate-tx': 'transaction',
  'duplicate-key-image': 'key image',
} as const;

/** The hashes of one kind that a change adds: none may be in the chain below it, and none may come twice. */
class NewHashes {
  readonly #code: keyof typeof DUPLICATES;
  readonly #base: number;
  readonly #seen: FlatHashMap;

  /**
   * @param base height of the first appended block
   * @param expected number of hashes
   */
  constructor(code: keyof typeof DUPLICATES, base: number, expected: number) {
    this.#code = code;
    this.#base = base;
    this.#seen = new FlatHashMap(expected);
  }

  /**
   * Adds a hash. Throws StorageError with the code when it is not new.
   *
   * @param source holds the 32 bytes of the id or key image from `offset` on
   * @param height of the block being appended
   * @param knownHeight of the block that has the hash by now
   */
  add(source: Uint8Array, offset: number, height: number, knownHeight: number | undefined): void {
    if (knownHeight !== undefined && knownHeight < this.#base)
      this.#refuse(`is already in the chain at height ${knownHeight}`, source, offset, height);
    if (!this.#seen.add(source, offset, height))
      this.#refuse('occurs twice in the blocks being added', source, offset, height);
  }

  #refuse(why: string, source: Uint8Array, offset: number, height: number): never {
    const what = `${DUPLICATES[this.#code]} ${hex(source, offset)}`;
    throw new StorageError(this.#code, `${what} ${why}`, { height });
  }
}

/** Returns the number of hashes that blocks have of one kind. */
function hashCount(blocks: readonly BlockRecord[], of: (block: BlockRecord) => Uint8Array): number {
  return blocks.reduce((sum, block) => sum + of(block).length / HASH_SIZE, 0);
}

function checkShape({ meta, txs, outputs, keyImages }: BlockRecord): void {
  checkMeta(meta);
  checkTxs(txs);
  checkOutputs(outputs, txs.blobs.length);
  if (keyImages.length % HASH_SIZE !== 0) bad('a key image has 32 bytes');
}

function checkTxs({ ids, blobs, baseSizes, prunableHashes, dropped }: BlockTxs): void {
  const count = blobs.length;
  if (count === 0) bad('a block has at least its coinbase');
  if (count > MAX_TXS) bad('too many transactions');
  checkLength(ids, HASH_SIZE * count, 'transaction ids');
  checkLength(prunableHashes, HASH_SIZE * count, 'prunable hashes');
  checkLength(baseSizes, count, 'sizes of base forms');
  checkLength(dropped, count, 'marks of dropped parts');
  for (let i = 0; i < count; i += 1) {
    const rest = (blobs[i] as Uint8Array).length - (baseSizes[i] as number);
    if (rest < 0) bad('a base form is longer than its transaction');
    if (dropped[i] !== 0 && rest > 0) bad('a dropped prunable part has no bytes');
  }
}

function checkOutputs(outputs: BlockOutputs, txCount: number): void {
  const { counts, amounts, unlockTimes, keys, commitments } = outputs;
  if (counts.length !== txCount) bad('outputs must be listed per transaction');
  const count = counts.reduce((sum, each) => sum + each, 0);
  checkLength(amounts, count, 'amounts');
  checkLength(unlockTimes, count, 'unlock times');
  checkLength(keys, HASH_SIZE * count, 'output keys');
  // Only outputs of the RCT list have stored commitments, and each of them has one.
  const rctCount = amounts.reduce((sum, amount) => (amount === 0n ? sum + 1 : sum), 0);
  checkLength(commitments, HASH_SIZE * rctCount, 'commitments');
}

function checkLength(array: { readonly length: number }, expected: number, what: string): void {
  if (array.length !== expected) bad(`${what}: ${expected} expected, got ${array.length}`);
}

function checkMeta(meta: BlockMeta): void {
  checkBytes(meta.id, 'block id');
  checkCount(meta.timestamp, 'timestamp');
  checkCount(meta.weight, 'weight');
  checkCount(meta.longTermWeight, 'long-term weight');
  checkCount(meta.cumulativeTxCount, 'transaction count');
  checkCount(meta.cumulativeRctOutputs, 'RCT output count');
  checkCount(meta.majorVersion, 'major version', 0xff);
  checkCount(meta.minorVersion, 'minor version', 0xff);
  checkBig(meta.cumulativeDifficulty, 'cumulative difficulty', MAX_U128);
  checkBig(meta.generatedCoins, 'generated coins', MAX_U64);
}

function checkAltBlock(alt: AltBlock): void {
  checkBytes(alt.id, 'alternative block id');
  checkBytes(alt.prevId, 'previous id');
  checkCount(alt.height, 'height', MAX_U32);
  checkCount(alt.weight, 'weight');
  checkBig(alt.cumulativeDifficulty, 'cumulative difficulty', MAX_U128);
  checkBig(alt.generatedCoins, 'generated coins', MAX_U64);
}

function checkPoolTx({ id, meta }: PoolTx): void {
  checkBytes(id, 'pool transaction id');
  checkCount(meta.weight, 'weight');
  checkBig(meta.fee, 'fee', MAX_U64);
  checkCount(meta.receiveTime, 'time of arrival');
  checkCount(meta.lastRelayedTime ?? 0, 'time of relay');
  checkCount(meta.maxUsedBlockHeight, 'height', MAX_U32);
  checkBytes(meta.maxUsedBlockId, 'block id');
  checkCount(meta.lastFailedHeight, 'height', MAX_U32);
  checkBytes(meta.lastFailedId, 'block id');
  checkCount(meta.relayMethod, 'relay method', 0xff);
  if (meta.verified === undefined) return;
  checkCount(meta.verified.version, 'fork version', 0xff);
  checkBytes(meta.verified.ring, 'digest of ring members');
}

/** Returns the name of a property in UTF-8. Throws StorageError `bad-record` unless it has 1 to 255 bytes, the limits of a key. */
export function propertyKey(name: string): Uint8Array {
  const key = new TextEncoder().encode(name);
  if (key.length < 1 || key.length > 255) bad('a property name has 1 to 255 bytes');
  return key;
}

function checkBytes(bytes: Uint8Array, what: string): void {
  if (bytes.length !== 32) bad(`${what}: 32 bytes expected, got ${bytes.length}`);
}

function checkCount(value: number, what: string, max = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    bad(`${what}: ${value} is out of range`);
}

function checkBig(value: bigint, what: string, max: bigint): void {
  if (value < 0n || value > max) bad(`${what}: ${value} is out of range`);
}

function bad(message: string): void {
  throw new StorageError('bad-record', message);
}

/** Returns the 32 bytes from an offset on as hex. */
function hex(source: Uint8Array, offset = 0): string {
  return Buffer.from(source.subarray(offset, offset + HASH_SIZE)).toString('hex');
}
