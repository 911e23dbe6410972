/** Bytes of the longest ban list in a file, and of one that comes from a server, which has a million addresses and more. */
export const MAX_BAN_LIST = 64 * 2 ** 20;
export const MAX_DOWNLOAD = 16 * 2 ** 20;

/** A ban list that a server has. */
export interface BanListUrl {
  readonly url: URL;
  /** Of the whole list, hex in lower case; any list is taken when absent. */
  readonly sha256: string | undefined;
  /** Milliseconds between two downloads. */
  readonly interval: number;
}
