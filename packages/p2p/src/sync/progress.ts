/** How long the speed is averaged over, in milliseconds. */
const WINDOW_MS = 10_000;

/** Blocks a second over the last ten seconds. */
export class BlockRate {
  readonly #now: () => number;
  readonly #started: number;
  #samples: { at: number; blocks: number }[] = [];

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#started = now();
  }

  add(blocks: number): void {
    this.#samples.push({ at: this.#now(), blocks });
  }

  get perSecond(): number {
    const now = this.#now();
    this.#samples = this.#samples.filter((sample) => now - sample.at < WINDOW_MS);
    const blocks = this.#samples.reduce((sum, sample) => sum + sample.blocks, 0);
    const window = Math.min(WINDOW_MS, Math.max(1000, now - this.#started));
    return (blocks * 1000) / window;
  }
}
