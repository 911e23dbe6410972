/** Most bytes that `getRandomValues` fills at once. */
const MAX_FILL = 65_536;

/** Returns bytes from the system's generator, in Node and in browsers. */
export function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += MAX_FILL) {
    crypto.getRandomValues(bytes.subarray(at, at + MAX_FILL));
  }
  return bytes;
}
