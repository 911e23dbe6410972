/** A version of this program that is newer than the one that runs. */
export interface NewerVersion {
  /** Semantic version, without a `v`. */
  readonly version: string;
  /** URL of its archive. */
  readonly uri: string;
  /** SHA-512 of the archive, 128 hex digits. */
  readonly hash: string;
}

/** Finds and downloads newer versions of this program. */
export interface UpdateControl {
  /** Whether the last check found a newer version. */
  readonly isAvailable: boolean;
  /** Returns the newer version; undefined when this one is the newest. Rejects with Error, which names the reason. */
  check(): Promise<NewerVersion | undefined>;
  /**
   * Returns the path of the archive, after downloading it unless it is already there. `path` is absolute and no other
   * file; without it the node chooses. Rejects with Error, which names the reason, and then keeps no file.
   */
  download(newer: NewerVersion, path?: string): Promise<string>;
}
