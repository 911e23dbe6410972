import { keccak256 } from '@monero-node/keccak';
import { ByteWriter } from '../byte-writer.ts';
import { assertBytes, bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { countsTransactions, DEFAULT_FORMATS, type Formats } from '../formats.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { KnownHashes } from '../transaction/hashed-transaction.ts';
import type { ParsedTransaction } from '../transaction/types.ts';
import { treeHashSteps } from './tree-hash.ts';
import type { Block, ParsedBlock } from './types.ts';

/**
 * Mainnet block 202612 has 514 transactions, for which the tree hash of that time was wrong. The id that its
 * successor links to cannot be computed, so it is a constant for exactly this blob.
 * Source: calculate_block_hash in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
const BLOCK_202612 = {
  // Pure, so that bundles of programs that read no blocks leave it out.
  blobHash: /* @__PURE__ */ fromHex(
    '3a8a2b3a29b50fc86ff73dd087ea43c6f0d6b8f936c849194d5c84c737903966',
  ),
  id: /* @__PURE__ */ fromHex('bbd604d2ba11ba27935e006ed39c9bfdd99b76bf4a50654bc1e1e61217962698'),
};

/**
 * Returns the hash (32 bytes) of a hashing blob with its length (a varint) before it: the id of every block but
 * one. The proof of work of block 202612 is recognized by this hash too. Throws TypeError for anything but bytes.
 */
export function hashingBlobHash(hashingBlob: Uint8Array): Uint8Array {
  assertBytes(hashingBlob, 'hashingBlob');
  return keccak256(new ByteWriter(128).varint(hashingBlob.length).bytes(hashingBlob).toBytes());
}

/**
 * Returns the id of a block (32 bytes).
 * `blob`: the whole block, hashed only if `mayBeException`.
 * Throws DecodeError for a block whose computed id is the id of block 202612.
 */
export function blockIdOf(
  hashingBlob: Uint8Array,
  blob: Uint8Array,
  mayBeException: boolean,
): Uint8Array {
  const id = hashingBlobHash(hashingBlob);
  if (!mayBeException) return id;
  if (bytesEqual(keccak256(blob), BLOCK_202612.blobHash)) return BLOCK_202612.id.slice();
  if (bytesEqual(id, BLOCK_202612.id)) throw new DecodeError('not the block of this id');
  return id;
}

/**
 * Returns the leaves of the tree hash of a block, 32 bytes each: the id of its miner transaction, the layers and the root of its curve
 * tree if it has one, and the ids of the other transactions. The layers are one byte and 31 zero bytes.
 * Source: get_block_content_hash in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function treeLeaves(
  minerTxId: Uint8Array,
  { tree, txHashes }: Pick<Block, 'tree' | 'txHashes'>,
): Uint8Array[] {
  if (tree === undefined) return [minerTxId, ...txHashes];
  const layers = new Uint8Array(32);
  layers[0] = tree.layers;
  return [minerTxId, layers, tree.root, ...txHashes];
}

/** Joins the parts of a hashing blob, in steps. `header`: its bytes, nonce included. `minerTxId`: 32 bytes. */
export function* joinHashingBlob(
  header: Uint8Array,
  minerTxId: Uint8Array,
  block: Block,
  formats: Formats,
): Steps<Uint8Array> {
  const root = yield* treeHashSteps(treeLeaves(minerTxId, block));
  return joinParts(header, root, block, formats);
}

/** `root`: the tree hash, 32 bytes. */
function joinParts(
  header: Uint8Array,
  root: Uint8Array,
  { majorVersion, txHashes }: Block,
  formats: Formats,
): Uint8Array {
  const writer = new ByteWriter(128).bytes(header).key(root);
  // The number of transactions, which is not the number of leaves.
  if (countsTransactions(formats, majorVersion)) writer.varint(txHashes.length + 1);
  return writer.toBytes();
}

/** Bytes of the hashes of a block that {@link HashedBlock.copyHashes} copies. */
export const BLOCK_HASHES_SIZE = 128;

/** A block as read from `blob`. */
export interface HashedBlockParts {
  readonly block: Block;
  readonly blob: Uint8Array;
  readonly minerTx: ParsedTransaction;
  /** Bytes of the header, which `blob` begins with. */
  readonly headerSize: number;
  /** Whether this may be the block with the exceptional id of {@link blockIdOf}. */
  readonly mayBeException: boolean;
  readonly formats?: Formats | undefined;
  /** Its hashes as `copyHashes` has copied them, if they are known. Those of a block that may be the exception are computed. */
  readonly hashes?: KnownHashes | undefined;
}

/** A parsed block whose hashes are computed when they are first read, and then kept. */
export class HashedBlock implements ParsedBlock {
  readonly block: Block;
  readonly blob: Uint8Array;
  readonly minerTx: ParsedTransaction;
  readonly #headerSize: number;
  readonly #formats: Formats;
  #id: Uint8Array | undefined;
  #hashingBlob: Uint8Array | undefined;

  /** Throws DecodeError for a block that collides with the exceptional id. */
  constructor(parts: HashedBlockParts) {
    const { block, blob, minerTx, headerSize, mayBeException, hashes } = parts;
    this.block = block;
    this.blob = blob;
    this.minerTx = minerTx;
    this.#headerSize = headerSize;
    this.#formats = parts.formats ?? DEFAULT_FORMATS;
    // The only id whose computation can fail, which a parser has to report.
    if (mayBeException) this.#id = blockIdOf(this.hashingBlob, blob, true);
    else if (hashes !== undefined) this.#takeHashes(hashes);
  }

  #takeHashes({ of, at }: KnownHashes): void {
    const header = this.blob.subarray(0, this.#headerSize);
    const root = of.subarray(at + 64, at + 96);
    this.#hashingBlob = joinParts(header, root, this.block, this.#formats);
    // A copy, because whoever keeps an id would keep the hashes of other blocks too.
    this.#id = of.slice(at + 96, at + 128);
  }

  /** Copies its hashes for another thread: id and prunable hash of the miner transaction, tree hash, id; 32 bytes each. */
  copyHashes(to: Uint8Array, at: number): void {
    to.set(this.minerTx.id, at);
    to.set(this.minerTx.prunableHash, at + 32);
    to.set(this.hashingBlob.subarray(this.#headerSize, this.#headerSize + 32), at + 64);
    to.set(this.id, at + 96);
  }

  get id(): Uint8Array {
    return (this.#id ??= blockIdOf(this.hashingBlob, this.blob, false));
  }

  get hashingBlob(): Uint8Array {
    return (this.#hashingBlob ??= runAtOnce(this.#joinHashingBlob()));
  }

  /** Computes the hashes that have not been read yet, in steps. */
  *hash(): Steps<void> {
    this.#hashingBlob ??= yield* this.#joinHashingBlob();
    this.#id ??= blockIdOf(this.#hashingBlob, this.blob, false);
  }

  #joinHashingBlob(): Steps<Uint8Array> {
    const header = this.blob.subarray(0, this.#headerSize);
    return joinHashingBlob(header, this.minerTx.id, this.block, this.#formats);
  }
}
