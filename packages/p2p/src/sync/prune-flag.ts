/** Returns `{ prune }` only when it is set, so that requests for whole blocks have no such field. */
export function pruneFlag(prune: boolean | undefined): { prune?: true } {
  return prune === true ? { prune } : {};
}
