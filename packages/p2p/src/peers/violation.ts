/** Something a peer did for which its link is closed. */
export class Violation {
  readonly reason: string;
  /** Points its host is charged with. */
  readonly penalty: number;

  constructor(reason: string, penalty: number) {
    this.reason = reason;
    this.penalty = penalty;
  }
}
