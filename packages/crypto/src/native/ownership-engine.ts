import {
  computeInParts,
  type OwnershipEngine,
  type PackedResults,
  SUM_SIZE,
} from '../ownership/engine.ts';
import { CANDIDATE_SIZE } from '../output-batch.ts';
import type { CryptoAddon } from './addon.ts';

/** Most points or outputs per call: many rounds of the 24 that the vector code takes at a time. */
const MOST = 42 * 24;

/** Computes for wallets in the addon, in calls of bounded size. */
export class AddonOwnershipEngine implements OwnershipEngine {
  readonly #addon: CryptoAddon;
  readonly #path: number;

  /** @param path index of one of `PATHS` */
  constructor(addon: CryptoAddon, path: number) {
    this.#addon = addon;
    this.#path = path;
  }

  derive(secret: Uint8Array, points: Uint8Array): PackedResults {
    return computeInParts(points, { size: 32, most: MOST }, (part, results, answers) =>
      this.#addon.keyDerivations(secret, part, results, answers, this.#path),
    );
  }

  spend(candidates: Uint8Array): PackedResults {
    const items = { size: CANDIDATE_SIZE, most: MOST };
    return computeInParts(candidates, items, (part, results, answers) =>
      this.#addon.spendKeys(part, results, answers, this.#path),
    );
  }

  add(sums: Uint8Array): PackedResults {
    return computeInParts(sums, { size: SUM_SIZE, most: MOST }, (part, results, answers) =>
      this.#addon.addMultiples(part, results, answers, this.#path),
    );
  }
}
