/** Counts the answers that the clients of a fleet have seen. */
export class Tally {
  /** Height of the chain, as its miner knows it. */
  height = 0;
  requests = 0;
  refreshes = 0;
  /** Times that a client was answered by another node than before. */
  moves = 0;
  /** Longest wait for an answer, in milliseconds. */
  longest = 0;
  /** A sentence for each request that was not answered well. */
  readonly failures: string[] = [];
  /** By node: number of answers. */
  readonly answers = new Map<string, number>();
  /** By node: the most blocks that an answer lacked. */
  readonly lags = new Map<string, number>();
  /** Most blocks by which a height was below one that the same client had seen. */
  stepBack = 0;
  /** A sentence for each height that was more than one block below one that the same client had seen. */
  readonly stepsBack: string[] = [];

  answered(node: string, milliseconds: number): void {
    this.requests++;
    this.answers.set(node, (this.answers.get(node) ?? 0) + 1);
    this.longest = Math.max(this.longest, Math.round(milliseconds));
  }

  /** @param asked height of the chain when the question was sent */
  sawHeight(node: string, height: number, asked: number): void {
    this.lags.set(node, Math.max(this.lags.get(node) ?? 0, asked - height));
  }

  /**
   * Takes a height that a client sees after another one.
   *
   * @param who client, or node and path, for messages @param seen the highest that it has seen before
   */
  sawAfter(who: string, height: number, seen: number): void {
    this.stepBack = Math.max(this.stepBack, seen - height);
    if (seen - height > 1)
      this.stepsBack.push(
        `${new Date().toISOString().slice(11, 23)} ${who}: ${height} after ${seen}, of ${this.height}`,
      );
  }

  answersOf(node: string): number {
    return this.answers.get(node) ?? 0;
  }

  /** Returns the figures for a person. */
  figures(): Record<string, unknown> {
    const { requests, refreshes, moves, longest, failures, answers, lags, stepBack } = this;
    return {
      requests,
      refreshes,
      moves,
      'longest wait, ms': longest,
      failures: failures.length,
      'answers by node': Object.fromEntries([...answers].sort()),
      'most blocks behind by node': Object.fromEntries([...lags].sort()),
      'most blocks back for one client': stepBack,
    };
  }
}
