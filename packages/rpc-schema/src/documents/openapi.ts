import type { JsonValue } from '@monero-node/codec';
import { methodName } from '../addresses.ts';
import type { MethodSchema } from '../method-schema.ts';
import { kindSchema, type JsonSchema } from './json-schema.ts';

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const requestName = (method: MethodSchema): string => `${methodName(method)}.request`;
const responseName = (method: MethodSchema): string => `${methodName(method)}.response`;
const callName = (name: string): string => `json_rpc.${name}`;

/** The OpenAPI 3.1 document of these methods, made from their field tables. */
export function openApiDocument(methods: readonly MethodSchema[], version: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'monero-node RPC',
      version,
      description:
        'The RPC of monerod, as this node serves it. Integers may take all of 64 bits: parse them as such. ' +
        'A member that is an empty list is left out. Operations with x-restricted "hidden" are not on restricted ports.',
      license: { name: 'BSD-3-Clause', identifier: 'BSD-3-Clause' },
    },
    security: [{}, { digest: [] }],
    paths: { '/json_rpc': jsonRpcPath(methods), ...plainPaths(methods), '/events': EVENTS_PATH },
    components: {
      securitySchemes: { digest: { type: 'http', scheme: 'digest' } },
      schemas: { ...ENVELOPES, ...callSchemas(methods), ...methodSchemas(methods) },
    },
  };
}

/** The members that every JSON-RPC call has, around its own. */
const ENVELOPES: JsonSchema = {
  'json_rpc.id': { description: 'any JSON value; it comes back in the answer' },
  'json_rpc.error': {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
      id: ref('json_rpc.id'),
      jsonrpc: { const: '2.0' },
    },
    required: ['error', 'id', 'jsonrpc'],
  },
};

function callsOf(methods: readonly MethodSchema[]): { name: string; method: MethodSchema }[] {
  return methods.flatMap((method) => (method.names ?? []).map((name) => ({ name, method })));
}

function jsonRpcPath(methods: readonly MethodSchema[]): JsonValue {
  const calls = callsOf(methods);
  const request = {
    oneOf: calls.map(({ name }) => ref(`${callName(name)}.call`)),
    discriminator: {
      propertyName: 'method',
      mapping: Object.fromEntries(
        calls.map(({ name }) => [name, `#/components/schemas/${callName(name)}.call`]),
      ),
    },
  };
  const answers = calls.map(({ name }) => ref(`${callName(name)}.answer`));
  return {
    post: {
      operationId: 'json_rpc',
      summary: 'Calls a JSON-RPC method. Batches are not supported.',
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: request } } },
      responses: {
        200: {
          description: 'The result, or why there is none',
          content: { [JSON_TYPE]: { schema: { anyOf: [...answers, ref('json_rpc.error')] } } },
        },
        401: UNAUTHORIZED,
      },
    },
  };
}

function callSchemas(methods: readonly MethodSchema[]): JsonSchema {
  const schemas: JsonSchema = {};
  for (const { name, method } of callsOf(methods)) {
    schemas[`${callName(name)}.call`] = {
      type: 'object',
      description: method.summary,
      'x-restricted': method.restricted,
      properties: {
        id: ref('json_rpc.id'),
        jsonrpc: { type: 'string' },
        method: { const: name },
        params: ref(requestName(method)),
      },
      required: ['method'],
    };
    schemas[`${callName(name)}.answer`] = {
      type: 'object',
      properties: {
        id: ref('json_rpc.id'),
        jsonrpc: { const: '2.0' },
        result: ref(responseName(method)),
      },
      required: ['id', 'jsonrpc', 'result'],
    };
  }
  return schemas;
}

function methodSchemas(methods: readonly MethodSchema[]): JsonSchema {
  const schemas: JsonSchema = {};
  for (const method of methods) {
    schemas[requestName(method)] = kindSchema(method.request, 'request');
    schemas[responseName(method)] = kindSchema(method.response, 'response');
  }
  return schemas;
}

function plainPaths(methods: readonly MethodSchema[]): JsonSchema {
  const paths: JsonSchema = {};
  for (const method of methods) {
    for (const path of method.paths ?? []) paths[path] = { post: operation(method, path, false) };
    for (const path of method.binaryPaths ?? []) {
      paths[path] = { post: operation(method, path, true) };
    }
  }
  return paths;
}

const UNAUTHORIZED = { description: 'A login is needed' };

function operation(method: MethodSchema, path: string, binary: boolean): JsonSchema {
  const content = (name: string): JsonSchema =>
    binary
      ? { [BINARY_TYPE]: { schema: PORTABLE_STORAGE, 'x-portable-storage': ref(name) } }
      : { [JSON_TYPE]: { schema: ref(name) } };
  const preferred = (binary ? method.binaryPaths : method.paths)?.[0];
  return {
    operationId: path.slice(1),
    summary: path === preferred ? method.summary : `Another name of ${preferred}.`,
    'x-restricted': method.restricted,
    requestBody: { required: binary, content: content(requestName(method)) },
    responses: {
      200: {
        description: 'The answer; `status` says how it went',
        content: content(responseName(method)),
      },
      400: { description: 'The request can not be read' },
      401: UNAUTHORIZED,
      404: { description: 'Not served here' },
      500: { description: 'The call has failed' },
    },
  };
}

const POSITION = '^[0-9]{1,10}(-[0-9a-f]{64})?$';

/** The stream of events, which is no method. Its messages are described in docs/operating/events.md. */
const EVENTS_PATH: JsonSchema = {
  get: {
    operationId: 'events',
    summary:
      'Streams the blocks that are added and removed, and the public transactions of the pool.',
    'x-restricted': 'served',
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'the block that the client has: its height and id, or its height',
        schema: { type: 'string', pattern: POSITION },
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'the same, as browsers send it when they come back; it goes before `after`',
        schema: { type: 'string', pattern: POSITION },
      },
    ],
    responses: {
      200: {
        description:
          'Server-sent events position, block.added, block.removed, pool.added and pool.removed, without end',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      400: { description: 'The position can not be read' },
      401: UNAUTHORIZED,
      403: { description: 'A page of an origin that is not allowed has asked' },
    },
  },
};

const PORTABLE_STORAGE: JsonSchema = {
  description: 'A portable storage document; x-portable-storage shows its fields',
  type: 'string',
  contentMediaType: BINARY_TYPE,
};
