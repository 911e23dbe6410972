/** Chunks as sent with `Transfer-Encoding: chunked`. */
export interface ChunkedBody {
  readonly body: Buffer;
  /** Whether the last chunk, which is empty, has arrived, and nothing after it. */
  readonly isComplete: boolean;
}

/** Joins the chunks of a body that have arrived. Source: RFC 9112, section 7.1. */
export function joinChunks(bytes: Buffer): ChunkedBody {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? NaN : parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (Number.isNaN(size) || bytes.length < end + 2)
      return { body: Buffer.concat(parts), isComplete: false };
    if (size === 0) return { body: Buffer.concat(parts), isComplete: bytes.length === end + 2 };
    parts.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
