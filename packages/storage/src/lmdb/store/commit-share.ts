import { join } from 'node:path';
import type { Environment } from '../files/environment.ts';
import { DATA_FILE } from '../files/file-names.ts';
import { NewestCommit } from '../files/data-file.ts';

/** Called after each commit; with the reason when it cannot be named to followers. Must not throw. */
export type OnCommit = (failure?: unknown) => void;

/** Keeps the pages of one commit from being written to, until it is released. */
interface Pin {
  readonly commit: number;
  release(): void;
}

/**
 * Serves processes that follow the store of a writer (see `openFollower`): names each commit once its own
 * reads see it, and keeps the pages that followers may be reading.
 *
 * At most two commits are pinned: one that is at most the oldest that a follower reads, and a newer one that takes its place
 * when all followers have reached it.
 */
export class CommitShare {
  readonly #environment: Environment;
  readonly #newest: NewestCommit;
  readonly #onEnd: () => void;
  readonly #pins: Pin[] = [];
  #commit: number;

  /** @param environment of the writer, while no commit is under way */
  constructor(environment: Environment, newest: NewestCommit, onEnd: () => void) {
    this.#environment = environment;
    this.#newest = newest;
    this.#onEnd = onEnd;
    this.#commit = newest.read();
    this.#pin();
  }

  /** Number of the commit that the writer reads. */
  get commit(): number {
    return this.#commit;
  }

  /** Called after each commit, once reads see it. */
  committed(): void {
    this.#commit = this.#newest.read();
    this.#pin();
  }

  /** States the oldest commit that any follower reads or may still begin to read. */
  reached(oldest: number): void {
    while ((this.#pins[1]?.commit ?? Infinity) <= oldest) this.#pins.shift()?.release();
    try {
      this.#pin();
    } catch {
      // The older pin is kept, and the next commit tries again and reports it.
    }
  }

  /** All followers are gone. */
  end(): void {
    for (const pin of this.#pins.splice(0)) pin.release();
    this.#newest.close();
    this.#onEnd();
  }

  #pin(): void {
    if (this.#pins.length > 1 || this.#pins.at(-1)?.commit === this.#commit) return;
    const reader = this.#environment.pinned();
    this.#pins.push({ commit: this.#commit, release: () => void reader.close() });
  }
}

/**
 * Begins to share the commits of a writer, while none is under way; see `CopyableStore`.
 *
 * A commit that cannot be shared stays a commit: the failure goes to `onCommit`, followers read the one before, whose pages
 * are kept, and the next commit is shared again.
 */
export function beginShare(environment: Environment, onCommit: OnCommit): CommitShare {
  const newest = new NewestCommit(join(environment.path, DATA_FILE));
  const share = new CommitShare(environment, newest, () => (environment.onCommit = undefined));
  environment.onCommit = () => {
    try {
      share.committed();
    } catch (error) {
      onCommit(error);
      return;
    }
    onCommit();
  };
  return share;
}
