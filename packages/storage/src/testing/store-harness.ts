import type { ChainStore } from '../chain-store.ts';

/** A new, empty store and what the suite needs around it. */
export interface StoreHarness {
  store: ChainStore;
  /** Every stored byte, for stores that keep bytes: one line a row. */
  rawDump(): string;
  /** Called after each test; the store may be closed already. */
  dispose(): Promise<void>;
}

export type MakeStore = () => Promise<StoreHarness>;
