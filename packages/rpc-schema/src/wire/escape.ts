import { bytesToLatin1, utf8AsLatin1 } from './text.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

// eslint-disable-next-line no-control-regex
const TEXT_ESCAPED = /["\\/\u0000-\u001f]/g;
const BLOB_ESCAPED = /["\\/\b\f\n\r\t\v]/g;

/**
 * Quotes text for JSON; the result has one character per byte (UTF-8). Control bytes without a short form become
 * `\u00xx`.
 */
export function quoteText(text: string): string {
  return `"${utf8AsLatin1(text).replace(
    TEXT_ESCAPED,
    (c) => SHORT_ESCAPES[c] ?? `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )}"`;
}

/**
 * Escapes raw bytes for use inside a JSON string, one character per byte, the way monerod 0.18 sends blob fields:
 * `\v` has a short form (which is not JSON), all other control bytes and those above 0x7f are not escaped.
 */
export function escapeBlob(bytes: Uint8Array): string {
  return bytesToLatin1(bytes).replace(BLOB_ESCAPED, (c) => SHORT_ESCAPES[c] ?? '\\v');
}
