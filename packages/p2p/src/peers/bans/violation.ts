/** The reason to close a peer's link. */
export class Violation {
  readonly reason: string;
  /** Points for its host. */
  readonly penalty: number;

  constructor(reason: string, penalty: number) {
    this.reason = reason;
    this.penalty = penalty;
  }
}
