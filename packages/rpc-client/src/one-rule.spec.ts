import type { Kind } from '@monero-node/codec/portable-storage';
import { METHOD_SCHEMAS, type MethodSchema } from '@monero-node/rpc-schema';

/** The integers below a kind that break the rule of the README: those of 64 bits are bigint, all others are number. */
function exceptions(kind: Kind, path: string): string[] {
  switch (kind.kind) {
    case 'integer':
      return kind.safe === true ? [path] : [];
    case 'array':
      return exceptions(kind.of, `${path}[]`);
    case 'object':
    case 'mapped':
      return Object.entries(kind.table.fields).flatMap(([name, field]) =>
        exceptions(field.kind, `${path}.${name}`),
      );
    case 'choice':
      return kind.of.flatMap((one) => exceptions(one, path));
    default:
      return [];
  }
}

test('64-bit integers are bigint, in every request and every answer', () => {
  const schemas = Object.entries<MethodSchema>(METHOD_SCHEMAS);
  const found = schemas.flatMap(([name, { request, response }]) => [
    ...exceptions(request, `${name} request`),
    ...exceptions(response, `${name} answer`),
  ]);
  expect(found).toEqual([]);
});
