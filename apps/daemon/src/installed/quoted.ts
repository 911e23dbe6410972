/** Returns a path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./~@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
