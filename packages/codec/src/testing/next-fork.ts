import { ed25519 } from '@noble/curves/ed25519.js';
import type { CurveTreeRoot } from '../block/types.ts';
import { ByteWriter } from '../byte-writer.ts';
import { compareBytes, concatBytes, fromHex } from '../bytes.ts';
import { readFixture } from './fixtures.ts';

/**
 * Private chains of upstream's node across versions 16, 17 and 18, and what it said of changed transactions and blocks; see
 * fixtures/README.md. Bytes are hex.
 */
export interface NextFork {
  readonly chains: readonly NextForkChain[];
  /** Transactions of the pool above the chain `long`. */
  readonly pool: readonly NextForkTransaction[];
  /** The JSON of transactions without their prunable parts, by their ids. */
  readonly prunedJson: Readonly<Record<string, string>>;
  /** Of blocks of the chain `long`. */
  readonly hashingBlobs: readonly { readonly height: number; readonly hashingBlob: string }[];
}

export interface NextForkChain {
  readonly name: 'long' | 'short' | 'odd-coinbases' | 'wide-tree';
  readonly forks: readonly { readonly version: number; readonly height: number }[];
  /** By height. */
  readonly blocks: readonly NextForkBlock[];
  readonly transactions: readonly NextForkTransaction[];
}

export interface NextForkBlock {
  readonly hash: string;
  readonly minerTxHash: string;
  readonly minerPrunableHash: string;
  readonly weight: number;
  readonly longTermWeight: number;
  /** With the fees, atomic units. */
  readonly reward: number;
  /** Empty for a wide block. */
  readonly blob: string;
  /** Empty for a wide block. */
  readonly json: string;
  readonly wide?: WideBlock;
}

/** How to make a block with thousands of outputs: head, number of outputs, the outputs in the order of their keys, tail. */
export interface WideBlock {
  readonly head: string;
  readonly count: number;
  /** The keys are the base point times these numbers. */
  readonly first_k: number;
  readonly last_k: number;
  /** Of the last output; the amount of the others is 1. */
  readonly last_amount: number;
  readonly tail: string;
  readonly blob_length: number;
}

export interface NextForkTransaction {
  readonly hash: string;
  readonly blob: string;
  readonly prunedSize: number;
  readonly prunableHash: string;
  readonly json: string;
  /** Of its block; absent in the pool. */
  readonly height?: number;
  /** Null where upstream did not tell. */
  readonly weight: number | null;
  readonly fee: number;
  readonly label: string;
}

/** Changed transactions and blocks, and the same transactions under several forks. */
export interface NextForkChanged {
  readonly transactions: readonly {
    readonly label: string;
    readonly blob: string;
    readonly cases: readonly ChangedTransaction[];
  }[];
  readonly whole: readonly {
    readonly name: string;
    readonly blob: string;
    readonly status: string;
    readonly flags: readonly string[];
  }[];
  readonly blocks: readonly {
    readonly group: string;
    readonly height: number;
    readonly base: string;
    readonly cases: readonly ChangedBlock[];
  }[];
  readonly byVersion: readonly {
    readonly height: number;
    readonly version: number;
    readonly label: string;
    readonly hash: string;
    readonly status: string;
    readonly flags: readonly string[];
    readonly log: readonly string[];
  }[];
  /** Transactions of `byVersion` that are in no block. */
  readonly unmined: Readonly<Record<string, string>>;
}

/** `length` bytes at `at` of the unchanged bytes become others. */
interface Edit {
  readonly at: number;
  readonly length: number;
  readonly new: string;
}

interface Changed {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Of the changed bytes. */
  readonly sha256: string;
  readonly log: readonly string[];
}

export interface ChangedTransaction extends Changed {
  /** Flags of `/send_raw_transaction`. */
  readonly flags: readonly string[];
}

export interface ChangedBlock extends Changed {
  readonly verdict: 'taken' | 'refused';
  readonly becameTip: boolean;
  readonly message: string | null;
}

export function readNextFork(): NextFork {
  return readFixture('next-fork.json.br') as NextFork;
}

export function readNextForkChanged(): NextForkChanged {
  return readFixture('next-fork-changed.json.gz') as NextForkChanged;
}

/** Returns the bytes after the edits, whose offsets are all those of the unchanged bytes. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    parts.push(bytes.subarray(end, edit.at), fromHex(edit.new));
    end = edit.at + edit.length;
  }
  return concatBytes(...parts, bytes.subarray(end));
}

/** Returns the bytes of a block whose coinbase has thousands of outputs. */
export function wideBlob({
  head,
  count,
  first_k,
  last_k,
  last_amount,
  tail,
}: WideBlock): Uint8Array {
  const keys: Uint8Array[] = [];
  let point = ed25519.Point.BASE.multiply(BigInt(first_k));
  for (let k = first_k; k <= last_k; k++) {
    keys.push(point.toBytes());
    point = point.add(ed25519.Point.BASE);
  }
  const writer = new ByteWriter(60 * count).bytes(fromHex(head)).varint(count);
  for (const [i, key] of keys.sort(compareBytes).entries()) {
    writer.varint(i === count - 1 ? last_amount : 1).u8(1);
    writer
      .key(key)
      .bytes(Uint8Array.of(1, 2, 3))
      .bytes(new Uint8Array(16));
  }
  return concatBytes(writer.toBytes(), fromHex(tail));
}

/** No output is spendable, and the tree is empty, up to the index at which that of block 0 enters. */
const FIRST_FULL_TREE = 59;
/** A block at height h commits to the tree of index h + 8. */
const COMMITTED_AHEAD = 8;

/**
 * Roots of trees of the chain `long` with two layers to which no header commits, by index: recorded proofs of its first blocks of version 17
 * are made against them.
 */
const BELOW_THE_FORK: Readonly<Record<number, string>> = {
  129: 'bb06eccc04831f27feded617247a8a0f02b72f084eaae071f241e6074277909e',
  130: 'ef29e536f84b99e832f3414d1464c79fe692afa546b32944c236989920037b0e',
  131: '5c0f1f50b6c03f58b99cb6e993007299b2a8658bfeb2b8983d3fb5c795a1fdbc',
  132: 'c1f94347b5187727ca340c4e9044b8b845490656eb74d14b47d0a3a3ad89f53a',
  133: '35f317052f44522731b8ed3c9ceabd5a0c279911c48aa6232fb669c4120c7a6c',
  134: '40cc262af575aacc7675f20259aac9f34fbd74da2f6bc8dcb6dc1c532879dea7',
  135: '1aa99d4c67e8227af15b72568ec138bc3da4b8554cb4f2ad4f5015ff821d51c1',
  136: '82fe80c3f7b237a7283ac6ed5fac0ecc14e4437412cd206d67b326f4805a8f0d',
  137: 'f9b1c528d68b0fd6ea709620fbbf3608c68f8806c469acc5d8b8586f2d8b439d',
};

/** Returns the trees of a recorded chain by their index, as its headers have them; headers before version 17 have none. */
export function recordedTrees({
  name,
  blocks,
}: NextForkChain): (index: number) => CurveTreeRoot | undefined {
  return (index) => {
    if (index < FIRST_FULL_TREE) return { layers: 0, root: new Uint8Array(32) };
    const known = name === 'long' ? BELOW_THE_FORK[index] : undefined;
    if (known !== undefined) return { layers: 2, root: fromHex(known) };
    const json = blocks[index - COMMITTED_AHEAD]?.json;
    if (json === undefined || json === '') return undefined;
    const header = JSON.parse(json) as {
      fcmp_pp_n_tree_layers?: number;
      fcmp_pp_tree_root?: string;
    };
    const { fcmp_pp_n_tree_layers: layers, fcmp_pp_tree_root: root } = header;
    return layers === undefined || root === undefined ? undefined : { layers, root: fromHex(root) };
  };
}
