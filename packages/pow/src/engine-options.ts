import type { DatasetEvent, DatasetUse } from './pow-hasher.ts';

/** What the engines of one hasher know of the library that they share. */
export interface LibraryFacts {
  /** Whether librandomx has RandomX version 2; undefined until the first hash of that version. */
  hasV2: Promise<boolean> | undefined;
}

/** Options of one engine. */
export interface PowEngineOptions {
  /** Number of hashes computed at the same time. */
  readonly threads: number;
  /** Threads that compute the dataset for mining. */
  readonly datasetThreads: number;
  /** Called while the dataset for mining is being computed, with the fraction done (0 to 1). */
  readonly onDatasetProgress?: ((fraction: number) => void) | undefined;
  /** Whether and when blocks are verified with a dataset; never when absent. */
  readonly datasetUse?: DatasetUse | undefined;
  readonly onDatasetEvent?: ((event: DatasetEvent) => void) | undefined;
  /** Called with the reason when WebAssembly begins to compute version 2 for this engine because librandomx has none. */
  readonly onV2Fallback?: ((reason: string) => void) | undefined;
  /** Those of the other engines; when absent, this one finds them out for itself. */
  readonly libraryFacts?: LibraryFacts | undefined;
  /** Whether to do without the compiler of native RandomX, which takes another path through the same library. */
  readonly isPlain?: boolean;
}
