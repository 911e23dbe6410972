import { stringifyJson64 } from '@monero-node/codec';
import { openApiDocument } from '@monero-node/rpc-schema/documents';
import { ALL_METHODS, OPENAPI_METHOD } from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';

/**
 * Returns the OpenAPI document of all other methods as UTF-8 JSON. It is made for each call, because calls are rare.
 */
export function openApi(_request: unknown, { services: { node } }: RpcContext): Uint8Array {
  const methods = ALL_METHODS.filter((method) => method !== OPENAPI_METHOD);
  return Buffer.from(stringifyJson64(openApiDocument(methods, node.version)));
}
