import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A leaf of upstream's node. O and C are null if they are the key and the commitment of the output. */
export type RecordedLeaf = readonly [
  place: number,
  unifiedId: number,
  entersAt: number,
  type: 0 | 1,
  O: string | null,
  I: string,
  C: string | null,
];

/** Leaves and edge of an index; null is the edge of the index before. */
export type RecordedIndex = readonly [leaves: number, edge: readonly string[] | null];

export interface RecordedTree {
  /** All of them, but of the chain `wide-tree` only some. */
  readonly leaves: readonly RecordedLeaf[];
  readonly indexes: readonly RecordedIndex[];
}

/** The trees of upstream's node; see fixtures/README.md. Bytes are hex. */
export interface RecordedTrees {
  readonly chains: Readonly<Record<'long' | 'short' | 'odd-coinbases' | 'wide-tree', RecordedTree>>;
  /** A side chain of the chain `long`. Its indexes begin nine above its lowest block. */
  readonly side: RecordedTree & {
    readonly fromHeight: number;
    readonly blocks: readonly string[];
    readonly transactions: readonly {
      readonly hash: string;
      readonly height: number;
      readonly blob: string;
    }[];
  };
}

/** The last node of each layer over so many outputs. */
export interface RecordedRoot {
  readonly n: number;
  readonly hashesPerLayer: readonly number[];
  readonly lastHashes: readonly string[];
}

export interface RecordedRoots {
  readonly legacy: KnownTree;
  readonly carrot: KnownTree;
  readonly vectors: readonly (RecordedRoot & { readonly kind: string })[];
}

export interface KnownTree {
  /** Of O, I and C of the first leaves. */
  readonly leavesSha256: string;
  readonly leafCount: number;
  /** The elements of the first leaves. */
  readonly scalars: readonly string[];
  readonly roots: readonly RecordedRoot[];
}

export function readRecordedTrees(): RecordedTrees {
  return readFixture('recorded-trees') as RecordedTrees;
}

export function readRoots(): RecordedRoots {
  return readFixture('roots') as RecordedRoots;
}

function readFixture(name: string): unknown {
  const bytes = readFileSync(new URL(`../../fixtures/${name}.json.br`, import.meta.url));
  return JSON.parse(brotliDecompressSync(bytes).toString());
}
