import type { JsonValue } from '@monero-node/codec';
import { parseJson64 } from '@monero-node/codec';
import { openApiDocument, type JsonSchema } from '@monero-node/rpc-schema/documents';
import { ask } from '../testing/http.ts';
import { recordedCalls } from '../testing/recorded.ts';
import { recordedServer } from '../testing/recorded-server.ts';
import { METHODS } from './index.ts';

const document = openApiDocument(METHODS, '1');
const schemas = (document['components'] as { schemas: Record<string, JsonSchema> }).schemas;

/** Every `$ref` in it. */
function* refsIn(value: JsonValue): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref') yield member as string;
    else yield* refsIn(member);
  }
}

/** Returns the parts of a value that do not fit its schema; supports the keywords that our documents use. */
function misfits(schema: JsonSchema, value: JsonValue | undefined, at = ''): string[] {
  if (typeof schema['$ref'] === 'string') {
    const target = schemas[schema['$ref'].replace('#/components/schemas/', '')];
    return target === undefined ? [`${at}: no schema`] : misfits(target, value, at);
  }
  const wrong = [`${at}: ${JSON.stringify(schema['type'])}`];
  switch (schema['type']) {
    case 'integer': {
      if (typeof value !== 'bigint' && !Number.isInteger(value)) return wrong;
      const number = Number(value);
      const { minimum = -Infinity, maximum = Infinity } = schema as Record<string, number>;
      return number < minimum || number > maximum ? [`${at}: out of bounds`] : [];
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong;
    case 'string': {
      if (typeof value !== 'string') return wrong;
      const { pattern } = schema;
      return typeof pattern === 'string' && !new RegExp(pattern).test(value) ? wrong : [];
    }
    case 'array':
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((item, i) =>
        misfits(schema['items'] as JsonSchema, item, `${at}[${i}]`),
      );
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
      const properties = schema['properties'] as Record<string, JsonSchema>;
      const required = (schema['required'] ?? []) as string[];
      const missing = required.filter((name) => value[name] === undefined);
      return [
        ...missing.map((name) => `${at}.${name}: missing`),
        ...Object.entries(value).flatMap(([name, member]) => {
          const property = properties[name];
          return property === undefined
            ? [`${at}.${name}: unknown`]
            : misfits(property, member, `${at}.${name}`);
        }),
      ];
    }
    default:
      return ((schema['oneOf'] as JsonSchema[] | undefined) ?? [{ type: 'nothing' }])
        .map((of) => misfits(of, value, at))
        .reduce((best, found) => (found.length < best.length ? found : best));
  }
}

/** Members that later releases or this node add to answers of monerod 0.18.0.0. */
const ADDED = /\.(block_id|max_used_block_hash): missing$/;

describe('the OpenAPI document', () => {
  test('has one operation for each path and one schema for each call', () => {
    const paths = METHODS.flatMap((method) => [
      ...(method.paths ?? []),
      ...(method.binaryPaths ?? []),
    ]);
    expect(Object.keys(document['paths'] as object).sort()).toEqual(
      [...paths, '/json_rpc', '/events'].sort(),
    );
    const names = METHODS.flatMap((method) => method.names ?? []);
    for (const name of names) {
      expect(schemas).toHaveProperty([`json_rpc.${name}.call`]);
      expect(schemas).toHaveProperty([`json_rpc.${name}.answer`]);
    }
  });

  test('every reference resolves, and names are legal', () => {
    const refs = [...refsIn(document)];
    expect(refs.length).toBeGreaterThan(METHODS.length);
    for (const ref of refs) {
      expect(schemas).toHaveProperty([ref.replace('#/components/schemas/', '')]);
    }
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  const answers = recordedCalls().filter(
    ({ status, type, answer }) =>
      status === 200 && type === 'application/json' && answer !== undefined,
  );
  test.each(answers.map((call) => [`${call.path} ${call.request ?? ''}`.slice(0, 120), call]))(
    'describes what monerod answers to %s',
    (_title, { path, request = '{}', answer = '' }) => {
      const value = parseJson64(answer.replace(/\\v/g, ''));
      if (path !== '/json_rpc') {
        const operation = (document['paths'] as Record<string, { post: JsonSchema }>)[path]?.post;
        const responses = operation?.['responses'] as Record<
          string,
          { content: Record<string, { schema: JsonSchema }> }
        >;
        const schema = responses['200']?.content['application/json']?.schema ?? {};
        expect(misfits(schema, value).filter((text) => !ADDED.test(text))).toEqual([]);
        return;
      }
      if ((value as Record<string, JsonValue>)['error'] !== undefined) return;
      // Some of the requests are sloppy JSON.
      const method = /"method":\s*"(\w+)"/.exec(request)?.[1] ?? '';
      const { result } = schemas[`json_rpc.${method}.answer`]?.['properties'] as {
        result: JsonSchema;
      };
      const found = misfits(result, (value as Record<string, JsonValue>)['result']);
      expect(found.filter((text) => !ADDED.test(text))).toEqual([]);
    },
  );

  test('would notice an answer that does not fit', () => {
    const schema = schemas['get_height.response'] ?? {};
    const good = { hash: 'ab'.repeat(32), height: 5, status: 'OK', untrusted: false };
    expect(misfits(schema, good)).toEqual([]);
    expect(misfits(schema, { ...good, height: -1 })).toHaveLength(1);
    expect(misfits(schema, { ...good, hash: 'xy' })).toHaveLength(1);
    expect(misfits(schema, { ...good, more: 1 })).toHaveLength(1);
    expect(misfits(schema, { status: 'OK' })).toHaveLength(3);
  });

  test('is served by an unrestricted listener', async () => {
    const server = await recordedServer();
    try {
      const answer = await ask(server.port, { verb: 'GET', path: '/openapi.json' });
      expect(answer.type).toBe('application/json');
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        openapi: '3.1.0',
        info: { version: server.control.version },
      });
      const hidden = await ask(server.restrictedPort, { verb: 'GET', path: '/openapi.json' });
      expect(hidden.status).toBe(404);
    } finally {
      await server.stop();
    }
  });
});
