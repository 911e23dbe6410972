import {
  defineTable,
  eitherOf,
  f,
  omitDefault,
  withDefault,
} from '@monero-node/codec/portable-storage';
import { kindSchema, tableSchema } from './json-schema.ts';

describe('schemas of fields', () => {
  const table = defineTable({
    count: f.u8(),
    big: f.u64(),
    signed: f.i64(),
    on: withDefault(f.bool(), true),
    id: f.hash(),
    ids: f.hashBlob(),
    maybe: omitDefault(f.u32()),
    either: eitherOf(f.text(), f.u64s(), (value) => typeof value === 'string'),
  });

  test('of an answer', () => {
    const schema = tableSchema(table, 'response');
    expect(schema['required']).toEqual(['big', 'count', 'id', 'on', 'signed']);
    expect(schema['properties']).toEqual({
      count: { type: 'integer', format: 'uint8', minimum: 0, maximum: 255 },
      big: { type: 'integer', format: 'uint64', minimum: 0 },
      signed: { type: 'integer', format: 'int64' },
      on: { type: 'boolean' },
      id: { type: 'string', pattern: '^([0-9a-fA-F]{64})?$' },
      ids: { type: 'string', description: 'raw bytes: values of 32 bytes, joined' },
      maybe: { type: 'integer', format: 'uint32', minimum: 0, maximum: 4294967295 },
      either: {
        oneOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'integer', format: 'uint64', minimum: 0 } },
        ],
      },
    });
  });

  test('of a request: nothing is required, defaults are shown', () => {
    const schema = tableSchema(table, 'request');
    expect(schema).not.toHaveProperty('required');
    expect(schema['properties']).toMatchObject({ on: { default: true }, big: { default: 0 } });
    expect(kindSchema({ kind: 'json' }, 'response')).toEqual({});
  });
});
