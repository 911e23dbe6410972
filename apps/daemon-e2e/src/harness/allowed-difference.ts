import type { Release } from './binaries.ts';

/** A field of an answer in which our daemon may differ from monerod, and why. */
export interface AllowedDifference {
  /** Method or path; `*` means any. */
  readonly call: string;
  /** Dotted path; `*` matches each element of a list, `**` everything below. */
  readonly field: string;
  /**
   * `volatile`: the field depends on the process, the machine or the moment. It is removed from both answers.
   * `newer`: we send it, because later releases do or because it is documented, but monerod does not. It is removed from
   * our answer only where monerod's lacks it.
   * `deliberate`: our daemon answers differently on purpose, in the named requests only.
   */
  readonly kind: 'volatile' | 'newer' | 'deliberate';
  readonly why: string;
  /** Matches the names of the replayed requests to which it applies; every request when absent. */
  readonly request?: RegExp;
  /** The release from which our daemon differs; both when absent. */
  readonly release?: Release;
  /** The listener to which it applies; both when absent. */
  readonly listener?: 'main' | 'restricted';
  /** The two values that it allows; any when absent. */
  readonly values?: readonly [ours: string, theirs: string];
}
