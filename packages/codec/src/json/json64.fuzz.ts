import { DecodeError } from '../errors.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import { readEras } from '../testing/fixtures.ts';
import { parseJson64, stringifyJson64 } from './json64.ts';

const text = (value: string) => new TextEncoder().encode(value);
export const seeds = [
  ...readEras().blocks.flatMap(({ json }) => (json === undefined ? [] : [text(json)])),
  text(
    '{"a":[1,-2,3.5e-7,18446744073709551615,true,false,null,"\\u00e9\\ud83d\\ude00\\n"],"__proto__":{}}',
  ),
  text('[[[[[[]]]]]]'),
];
export const tokens = [
  ...['{"', '":', '[', ']', '}', ',', '"', '\\u', '\\ud83d', '\\', 'null', 'true', 'false'],
  ...['-', '0', '.', 'e', 'E+', '1e308', '1e309', '9007199254740993', '__proto__'],
];

/** JSON that is accepted is what JSON.parse accepts, and is written and read again to the same text. */
export function fuzz(input: Uint8Array): void {
  const value = unlessRefused(() => parseJson64(input), DecodeError);
  if (value === undefined) return;
  JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input));
  const written = stringifyJson64(value);
  if (stringifyJson64(parseJson64(written)) !== written) throw new Error('the text differs');
}
