/**
 * Memory is allocated once and never freed: every table and buffer keeps its place for the life of the instance. The
 * input area comes last, so only it can grow.
 */

/** End of the allocated memory. */
let end: usize = __heap_base;

const PAGE: usize = 65536;

/** Makes the memory reach up to `limit`. */
function ensure(limit: usize): void {
  const have = <usize>memory.size() * PAGE;
  if (limit <= have) return;
  const pages = <i32>((limit - have + PAGE - 1) / PAGE);
  if (memory.grow(pages) < 0) unreachable();
}

/** `size` zero bytes on an address that is a multiple of 16. For use while the instance is being set up. */
export function allocate(size: usize): usize {
  const start = (end + 15) & ~15;
  end = start + size;
  ensure(end);
  return start;
}

/** The input area, at least `size` bytes long. Its address never changes; what it held before is kept. */
export function input(size: usize): usize {
  const start = (end + 15) & ~15;
  ensure(start + size);
  return start;
}

/** Writes the ASCII text without a terminator; answers its length. */
export function writeAscii(at: usize, text: string): usize {
  for (let i = 0; i < text.length; i++) store<u8>(at + <usize>i, <u8>text.charCodeAt(i));
  return <usize>text.length;
}
