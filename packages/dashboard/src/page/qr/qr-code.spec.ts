import { createHash } from 'node:crypto';
import { qrCode } from './qr-code.ts';

const NAME = 'node.example.';

/**
 * Texts, one for each version, and the SHA-256 of the modules, row by row as 1 and 0, that another library (`qrcode-generator` 2.0.4) made of
 * them at level M. Its rules for masks are others, so these are texts for which it chose the same one.
 */
const RECORDED: readonly [version: number, text: string, digest: string][] = [
  [1, 'http:', 'cea8b2b336890465'],
  [2, 'http://192.0.2.7:18089', '86c83c4a2014d7a0'],
  [3, 'http://node.example.node.ex', '2238a865b7988f12'],
  [4, `http://${NAME.repeat(3)}`.slice(0, 43), 'dd14b73699b38a1a'],
  [5, `https://${'a'.repeat(56)}.onion:18089`, '1d44057f5613f961'],
  [6, `https://${NAME.repeat(6)}`.slice(0, 86), 'e7be04d2bdd80c14'],
  [7, `https://${NAME.repeat(8)}`.slice(0, 109), '73ed6676d46be8f9'],
  [8, `https://${NAME.repeat(9)}`.slice(0, 123), '1e1fe834c077ba2e'],
  [9, `http://${NAME.repeat(12)}`.slice(0, 154), '9c8a14371a84d98b'],
];

test.each(RECORDED)('version %i is as another program makes it: %s', (version, text, digest) => {
  const modules = qrCode(text) ?? [];
  expect(modules).toHaveLength(17 + 4 * version);
  const bits = modules.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join('')).join('');
  expect(createHash('sha256').update(bits).digest('hex').slice(0, 16)).toBe(digest);
});

test('the longest text, one that is too long, and one in UTF-8', () => {
  expect(qrCode('x'.repeat(180))).toHaveLength(53);
  expect(qrCode('x'.repeat(181))).toBeUndefined();
  expect(qrCode('ü'.repeat(90))).toHaveLength(53);
  expect(qrCode('ü'.repeat(91))).toBeUndefined();
  expect(qrCode('')).toHaveLength(21);
});
