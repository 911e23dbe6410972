import { readFileSync } from 'node:fs';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';
import { differencesDocument } from './differences-document.ts';

/** Returns a Markdown text without the padding of table cells. */
const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

describe('allowed differences from monerod', () => {
  test('docs/reference/rpc-differences.md is up to date (if not: node tools/generate-rpc-docs.mjs)', () => {
    const file = new URL('../../../../docs/reference/rpc-differences.md', import.meta.url);
    expect(plain(readFileSync(file, 'utf8'))).toBe(plain(differencesDocument()));
  });

  test('states a reason for every allowed difference', () => {
    for (const { why } of ALLOWED_DIFFERENCES) expect(why.length).toBeGreaterThan(8);
  });
});
