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
