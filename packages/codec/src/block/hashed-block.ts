import { runAtOnce, type Steps } from '../steps.ts';
import type { ParsedTransaction } from '../transaction/types.ts';
import { blockIdOf } from './block-id.ts';
import { joinHashingBlob } from './hashing-blob.ts';
import type { Block, ParsedBlock } from './types.ts';

/** A block as read from `blob`. */
export interface HashedBlockParts {
  readonly block: Block;
  readonly blob: Uint8Array;
  readonly minerTx: ParsedTransaction;
  /** Bytes of the header, which `blob` begins with. */
  readonly headerSize: number;
  /** Whether this may be the block with the exceptional id (see `block-id.ts`). */
  readonly mayBeException: boolean;
}

/** A parsed block whose hashes are computed when they are first read, and then kept. */
export class HashedBlock implements ParsedBlock {
  readonly block: Block;
  readonly blob: Uint8Array;
  readonly minerTx: ParsedTransaction;
  readonly #headerSize: number;
  #id: Uint8Array | undefined;
  #hashingBlob: Uint8Array | undefined;

  /** Throws DecodeError for a block that collides with the exceptional id. */
  constructor({ block, blob, minerTx, headerSize, mayBeException }: HashedBlockParts) {
    this.block = block;
    this.blob = blob;
    this.minerTx = minerTx;
    this.#headerSize = headerSize;
    // The only id whose computation can fail, which a parser has to report.
    if (mayBeException) this.#id = blockIdOf(this.hashingBlob, blob, true);
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
    return joinHashingBlob(header, this.minerTx.id, this.block.txHashes);
  }
}
