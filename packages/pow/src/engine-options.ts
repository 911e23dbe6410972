import type { DatasetEvent, DatasetUse } from './pow-hasher.ts';

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
  /** Called once, with the reason, when WebAssembly computes version 2 because librandomx has none. */
  readonly onV2Fallback?: ((reason: string) => void) | undefined;
  /** Whether to do without the compiler of native RandomX, which takes another path through the same library. */
  readonly isPlain?: boolean;
}
