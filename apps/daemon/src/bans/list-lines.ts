/** Characters of a line that count: more of them cannot name a host or subnet. */
const LINE_LENGTH = 1000;

/** Yields the lines of a list in ASCII that came in parts of any length, each cut to 1000 characters. The parts are read as they are needed. */
export function* listLines(parts: Iterable<Uint8Array>): Generator<string, void> {
  let rest = '';
  for (const part of parts) {
    // Names of hosts have no other characters than those of ASCII.
    const lines = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      .toString('latin1')
      .split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield (rest + line).slice(0, LINE_LENGTH);
      rest = '';
    }
    rest = (rest + last).slice(0, LINE_LENGTH);
  }
  if (rest !== '') yield rest;
}
