import type { Formats, ParsedBlock, ParsedTransaction } from '@monero-node/codec';
import type { ConsensusError, ProofCounters } from '@monero-node/consensus';
import type { BlockMeta } from '@monero-node/storage';

/** The host of a client: an address, or an object that stands for it. */
export type Host = string | object;

/** Whoever offers work to verify: work waits in turn for its host, and ends when whoever offered it has left. */
export interface WorkClient {
  readonly host: Host;
  /** Returns whether nobody waits for the outcome any more; never when absent. */
  readonly isGone?: () => boolean;
  /**
   * Whether a refusal costs the client something, such as points: a hash that counts against its block is then confirmed
   * by another engine, at a bounded rate. True when absent.
   */
  readonly losesByRefusal?: boolean;
  /** Whether this is the owner of the node, whose work goes before that of strangers. False when absent. */
  readonly isOwner?: boolean;
}

/** The bytes of a block: its blob, and the full blobs of its transactions without the miner transaction. */
export interface BlockBundle {
  readonly block: Uint8Array;
  /** Normally in the order of the block's tx_hashes; they are matched by id. */
  readonly txs: readonly Uint8Array[];
  /**
   * Set for a block that came pruned. For each of `txs`: the 32-byte hash of the prunable part that the blob
   * lacks, or 32 zeros when the blob is full, as it always is for version 1.
   */
  readonly prunableHashes?: readonly Uint8Array[] | undefined;
  /** In which the bytes are read: those of the network. The newest by default. */
  readonly formats?: Formats;
}

/** A block decoded where it entered the node (see `parseBundle`). The chain neither decodes nor hashes it again. */
export interface IncomingBlock {
  readonly block: ParsedBlock;
  /** Normally in the order of the block's tx_hashes; they are matched by id. */
  readonly txs: readonly ParsedTransaction[];
}

/** How to add a span of blocks. */
export interface AddSpanOptions {
  /**
   * Skips proofs of work, and all proofs of transactions, of blocks that extend the main chain. Only for blocks
   * from a source as reliable as the node's own database. False when absent.
   */
  readonly trust?: boolean;
  /** Where the blocks come from, for the log. */
  readonly origin?: string | undefined;
  /** The stranger that offers the blocks; absent for blocks of this node. */
  readonly client?: WorkClient | undefined;
  /**
   * Returns the blocks that the caller will add next, if they are at hand: the first of them are verified while the last of these are
   * being stored. They need not come. What was found counts if the same objects come, with the same `trust`. Called at most once for
   * a call of `addSpan`. The next change of the chain waits for it, so it must be quick.
   */
  readonly next?: (() => readonly IncomingBlock[] | undefined) | undefined;
}

/** The client that offers a block, and how to complete one that came without some or all of its transactions decoded. */
export interface AddBlockOptions {
  /** The stranger that offers the block; absent for a block of this node. */
  readonly client?: WorkClient | undefined;
  /** Where the block comes from, for the log. */
  readonly origin?: string | undefined;
  /**
   * Returns the decoded transactions that came with the block. Called at most once, and only when the header and the
   * proof of work are valid. `addBlock` throws what it throws.
   */
  readonly decodeSent?: () => Promise<readonly ParsedTransaction[]>;
  /** Returns the full blob of a transaction, by its 32-byte id, that is kept elsewhere, such as in the pool. */
  readonly findTransaction?: (id: Uint8Array) => Uint8Array | undefined;
}

declare const complete: unique symbol;

/** A decoded block with all its transactions in the order of tx_hashes. Only `completeBlock` makes one. */
export interface CompleteBlock extends IncomingBlock {
  /** Only for the type checker: a block that may lack transactions cannot take the place of a complete one. */
  readonly [complete]: true;
}

/** The outcome of adding a block. */
export type AddBlockResult =
  /** It extends the main chain. */
  | { readonly status: 'added'; readonly height: number; readonly id: Uint8Array }
  /** It made a side chain the main chain. */
  | { readonly status: 'reorganized'; readonly height: number; readonly id: Uint8Array }
  /** It is kept on a side chain. */
  | { readonly status: 'alternative'; readonly height: number; readonly id: Uint8Array }
  /** It was already known. */
  | { readonly status: 'known'; readonly id: Uint8Array }
  /** Its parent is unknown; it is not kept. */
  | { readonly status: 'orphan'; readonly id: Uint8Array }
  /** Header and proof of work are valid; these transactions (positions in tx_hashes) are needed. */
  | { readonly status: 'missing-txs'; readonly id: Uint8Array; readonly missing: number[] }
  /** It breaks a rule. */
  | { readonly status: 'invalid'; readonly id?: Uint8Array; readonly error: ConsensusError };

/** One result per block, in order, up to and including the first that could not be used. */
export interface SpanResult {
  readonly results: AddBlockResult[];
}

/** Checks that were carried out and passed since the start of the process. */
export interface VerificationCounters extends ProofCounters {
  blocks: number;
  minerTxs: number;
  /** Blocks known to be right by their id. All counters but those above leave them out. */
  known: number;
  pow: number;
  /**
   * Transactions of blocks whose proofs had been verified before the block came. The other counters leave
   * them out.
   */
  cached: number;
}

/** A block that has just become part of the main chain. */
export interface AddedBlock {
  readonly height: number;
  readonly bundle: CompleteBlock;
  readonly meta: BlockMeta;
  /** The effective median of weights for the block after it, with only the blocks up to this one. */
  readonly nextMedianWeight: number;
}

/** Events of the chain. All are emitted after the change is stored. */
export interface ChainEvents {
  'blocks-added': [AddedBlock[]];
  /** Emitted before 'blocks-added' for the new blocks. `removed` is ordered from the split upwards. */
  reorg: [
    { readonly splitHeight: number; readonly removed: BlockBundle[]; readonly added: number },
  ];
  /** Blocks were popped by request. */
  popped: [{ readonly height: number; readonly removed: BlockBundle[] }];
  'alternative-block': [
    { readonly id: Uint8Array; readonly height: number; readonly bundle: CompleteBlock },
  ];
}
