const IPV4 = /^(?:25[0-5]|2[0-4]\d|1?\d{1,2})(?:\.(?:25[0-5]|2[0-4]\d|1?\d{1,2})){3}$/;
const LEADING_ZERO = /(?:^|\.)0\d/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const SCOPE = /^[0-9a-zA-Z.:-]+$/;

/** Returns 4 or 6 for the text of an IP address, 0 for anything else: `isIP` of `node:net`, for browsers too. */
export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

function isIPv4(text: string): boolean {
  return IPV4.test(text) && !LEADING_ZERO.test(text);
}

function isIPv6(text: string): boolean {
  const at = text.indexOf('%');
  if (at >= 0 && !SCOPE.test(text.slice(at + 1))) return false;
  const halves = (at >= 0 ? text.slice(0, at) : text).split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  // A dotted quad replaces the last two groups if it is at the end.
  const quad = last !== undefined && halves.at(-1) !== '' && isIPv4(last);
  const plain = quad ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => GROUP.test(group))) return false;
  const count = plain.length + (quad ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

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
