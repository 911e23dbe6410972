import { stringifyJson64 } from '@monero-node/codec';
import type { RpcMethod } from '../method.ts';
import { openApiDocument } from '../openapi/document.ts';
import { EMPTY_TABLE } from '../wire/fields.ts';
import type { Kind } from '../wire/kinds.ts';

const DOCUMENT: Kind = { kind: 'json' };

/** Serves the description of these methods; it is made anew for each call, which are rare. */
export function openApi(methods: readonly RpcMethod[]): RpcMethod {
  return {
    paths: ['/openapi.json'],
    summary: 'Describes this interface as an OpenAPI 3.1 document.',
    restricted: 'hidden',
    request: { kind: 'object', table: EMPTY_TABLE },
    response: DOCUMENT,
    call: (_params, { node }) => {
      const text = stringifyJson64(openApiDocument(methods, node.version));
      return Promise.resolve({ kind: DOCUMENT, value: Buffer.from(text) });
    },
  };
}
