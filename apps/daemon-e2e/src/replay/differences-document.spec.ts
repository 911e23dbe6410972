import { readFileSync } from 'node:fs';
import { ALLOWED_DIFFERENCES } from '../harness/allowed-differences.ts';
import { differencesDocument } from './differences-document.ts';

/** Without the padding of table cells. */
const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

describe('differences from monerod', () => {
  test('docs/rpc-differences.md is up to date (if not: node tools/generate-rpc-docs.mjs)', () => {
    const file = new URL('../../../../docs/rpc-differences.md', import.meta.url);
    expect(plain(readFileSync(file, 'utf8'))).toBe(plain(differencesDocument()));
  });

  test('each have a reason', () => {
    for (const { why } of ALLOWED_DIFFERENCES) expect(why.length).toBeGreaterThan(8);
  });
});
