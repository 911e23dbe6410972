/**
 * Reads the numbers of commits in LMDB's list of readers: a line of titles, then lines of process id, thread and commit, with a
 * dash for a reader that reads nothing at this moment.
 */
export function commitsIn(list: string): bigint[] {
  return list.split('\n').flatMap((line) => {
    const commit = /^\s*\d+\s+\S+\s+(\d+)$/.exec(line)?.[1];
    return commit === undefined ? [] : [BigInt(commit)];
  });
}
