/** A field of an answer in which our daemon may differ from monerod 0.18.0, and why. */
export interface AllowedDifference {
  /** Method or path; `*` means any. */
  readonly call: string;
  /** Dotted path; `*` matches every element of a list, `**` everything below. */
  readonly field: string;
  /**
   * `volatile`: it depends on the process, the machine or the moment; left out on both sides.
   * `newer`: later releases or the documentation have it and 0.18.0 does not; left out of ours only where monerod lacks it.
   * `deliberate`: our daemon answers something else, on purpose; only in the requests named.
   */
  readonly kind: 'volatile' | 'newer' | 'deliberate';
  readonly why: string;
  /** Names of the replayed requests it holds for; all when absent. */
  readonly request?: RegExp;
  /** The listener it holds for; either when absent. */
  readonly listener?: 'main' | 'restricted';
  /** The two values it holds for; any when absent. */
  readonly values?: readonly [ours: string, theirs: string];
}
