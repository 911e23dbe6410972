/** Returns the 4 bytes of a dotted quad that `isIP` accepted. */
export function ipv4Bytes(host: string): Uint8Array {
  const bytes = new Uint8Array(4);
  host.split('.').forEach((octet, i) => (bytes[i] = Number(octet)));
  return bytes;
}

/** Returns the dotted quad of 4 bytes. */
export function formatIpv4(bytes: Uint8Array): string {
  return bytes.join('.');
}

/** Returns the 16 bytes of an IPv6 address that `isIP` accepted; a zone id is ignored. */
export function ipv6Bytes(host: string): Uint8Array {
  let text = host.split('%')[0] ?? '';
  const quad = /(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (quad?.[1]) {
    const b = ipv4Bytes(quad[1]);
    const words = [(b[0] ?? 0) * 256 + (b[1] ?? 0), (b[2] ?? 0) * 256 + (b[3] ?? 0)];
    text = text.slice(0, quad.index) + words.map((w) => w.toString(16)).join(':');
  }
  const [head = '', tail] = text.split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((w) => parseInt(w, 16));
  const left = words(head);
  const right = tail === undefined ? [] : words(tail);
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((w) => [w >> 8, w & 0xff]));
}

/** Returns the canonical text (RFC 5952) of 16 bytes. */
export function formatIpv6(bytes: Uint8Array): string {
  const words = Array.from(
    { length: 8 },
    (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0),
  );
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at++) {
    let length = 0;
    while (at + length < 8 && words[at + length] === 0) length++;
    if (length > best.length) best = { at, length };
  }
  const hex = (part: number[]): string => part.map((w) => w.toString(16)).join(':');
  if (best.at < 0) return hex(words);
  return `${hex(words.slice(0, best.at))}::${hex(words.slice(best.at + best.length))}`;
}
