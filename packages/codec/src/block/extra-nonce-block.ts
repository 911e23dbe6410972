import { keccak256 } from '@monero-node/keccak';
import { concatBytes } from '../bytes.ts';
import { parseTransaction } from '../transaction/transaction.ts';
import { varintSize } from '../varint.ts';
import { encodeBlock, parseBlock } from './block.ts';
import { treeLeaves } from './hashed-block.ts';
import { treeBranch } from './tree-hash.ts';
import type { Block } from './types.ts';

/** Bytes of the nonce, which ends the header. */
const NONCE_SIZE = 4;

/**
 * A block of which only the nonce and some bytes of its miner transaction's extra field vary. What is common to its variants is
 * computed once, so each costs a few hashes however many transactions the block has.
 */
export class ExtraNonceBlock {
  /** Bytes of the extra field that vary. */
  readonly size: number;
  /** Offset of the nonce in the hashing blob and in the bytes of the block. */
  readonly nonceOffset: number;
  readonly #blob: Uint8Array;
  readonly #minerTx: Uint8Array;
  readonly #hashingBlob: Uint8Array;
  readonly #branch: readonly Uint8Array[];
  /** Where the miner transaction begins in the block. */
  readonly #minerTxAt: number;
  /** Where the bytes that vary begin in the miner transaction. */
  readonly #extraNonceAt: number;

  /**
   * Throws RangeError when the bytes that vary are not within the extra field, or a field of the block has a wrong size.
   *
   * @param place where in the extra field of the miner transaction those bytes are
   */
  constructor(block: Block, place: { readonly offset: number; readonly size: number }) {
    const parsed = parseBlock(encodeBlock(block));
    const { minerTx, hashingBlob } = parsed;
    const { length } = minerTx.tx.extra;
    const { offset, size } = place;
    if (offset < 0 || size < 0 || offset + size > length)
      throw new RangeError('the extra nonce is not within the extra field');
    this.size = size;
    this.#blob = parsed.blob;
    this.#minerTx = minerTx.blob;
    this.#hashingBlob = hashingBlob;
    this.#branch = treeBranch(treeLeaves(minerTx.id, parsed.block));
    const count = parsed.block.txHashes.length + 1;
    this.#minerTxAt = hashingBlob.length - 32 - varintSize(count);
    this.nonceOffset = this.#minerTxAt - NONCE_SIZE;
    // The extra field ends the prefix.
    this.#extraNonceAt = minerTx.prefixSize - length + offset;
  }

  /** Returns the hashing blob of the block with these bytes, `size` of them. Throws RangeError for another length. */
  hashingBlob(extraNonce: Uint8Array): Uint8Array {
    const minerTx = Uint8Array.from(this.#minerTx);
    minerTx.set(this.#checked(extraNonce), this.#extraNonceAt);
    let root = parseTransaction(minerTx).id;
    for (const sibling of this.#branch) root = keccak256(concatBytes(root, sibling));
    const blob = Uint8Array.from(this.#hashingBlob);
    blob.set(root, this.#minerTxAt);
    return blob;
  }

  /** Returns the bytes of the block with these bytes, `size` of them, and this nonce. Throws RangeError for another length. */
  blockBlob(extraNonce: Uint8Array, nonce: number): Uint8Array {
    const blob = Uint8Array.from(this.#blob);
    blob.set(this.#checked(extraNonce), this.#minerTxAt + this.#extraNonceAt);
    new DataView(blob.buffer).setUint32(this.nonceOffset, nonce, true);
    return blob;
  }

  #checked(extraNonce: Uint8Array): Uint8Array {
    if (extraNonce.length === this.size) return extraNonce;
    throw new RangeError(`${extraNonce.length} bytes of extra nonce instead of ${this.size}`);
  }
}
