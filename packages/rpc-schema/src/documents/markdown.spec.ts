import { defineTable, f, omitDefault, withDefault } from '@monero-node/codec/portable-storage';
import { readFileSync } from 'node:fs';
import { defineMethod } from '../method-schema.ts';
import { ALL_METHODS } from '../methods/index.ts';
import { rpcReference } from './markdown.ts';

describe('the reference', () => {
  const file = new URL('../../../../docs/reference/rpc.md', import.meta.url);

  test('docs/reference/rpc.md is up to date (if not: node tools/generate-rpc-docs.mjs)', () => {
    expect(readFileSync(file, 'utf8')).toBe(rpcReference(ALL_METHODS));
  });

  test('shows names, notes, fields and their contents', () => {
    const inner = defineTable({ height: f.u64(), tag: omitDefault(f.u8()) });
    const method = defineMethod({
      names: ['first', 'second'],
      summary: 'Does it.',
      restricted: 'hidden',
      base: 'status',
      request: { on: withDefault(f.bool(), true) },
      response: { items: f.objects(inner) },
    });
    const text = rpcReference([method]);
    expect(text).toContain('### `first`\n\nDoes it. Also as `second`. Not on restricted ports.\n');
    expect(text).toContain('Request:\n\n- `on` bool, true when absent\n');
    expect(text).toContain(
      'Answer:\n\n- `items` list of object\n  - `height` u64\n  - `tag` u8, left out when 0\n- `status` text\n',
    );
  });
});
