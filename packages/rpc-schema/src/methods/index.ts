import { EMPTY_TABLE } from '@monero-node/codec/portable-storage';
import type { MethodSchema } from '../method-schema.ts';
import { CHAIN_METHODS } from './chain.ts';
import { HEADER_METHODS } from './headers.ts';
import { BLOCK_METHODS } from './blocks.ts';
import { TRANSACTION_METHODS } from './transactions.ts';
import { OUTPUT_METHODS } from './outputs.ts';
import { POOL_METHODS } from './pool.ts';
import { TEMPLATE_METHODS } from './templates.ts';
import { MINING_METHODS } from './mining.ts';
import { OWN_MINING_METHODS } from './own-mining.ts';
import { CLIENT_METHODS } from './clients.ts';
import { PEER_METHODS } from './peers.ts';
import { BAN_METHODS } from './bans.ts';
import { NODE_METHODS } from './node.ts';
import { ACCESS_METHODS } from './access.ts';

/** Every method with a typed schema, by the name that programs use for it. */
export const METHOD_SCHEMAS = {
  ...CHAIN_METHODS,
  ...HEADER_METHODS,
  ...BLOCK_METHODS,
  ...TRANSACTION_METHODS,
  ...OUTPUT_METHODS,
  ...POOL_METHODS,
  ...TEMPLATE_METHODS,
  ...MINING_METHODS,
  ...OWN_MINING_METHODS,
  ...CLIENT_METHODS,
  ...PEER_METHODS,
  ...BAN_METHODS,
  ...NODE_METHODS,
  ...ACCESS_METHODS,
};

/** The method that serves the OpenAPI document of all others. */
export const OPENAPI_METHOD: MethodSchema = {
  paths: ['/openapi.json'],
  summary: 'Returns the description of this interface as an OpenAPI 3.1 document.',
  restricted: 'hidden',
  request: { kind: 'object', table: EMPTY_TABLE },
  response: { kind: 'json' },
};

/** The schemas of all methods, the OpenAPI document included. */
export const ALL_METHODS: readonly MethodSchema[] = [
  ...Object.values(METHOD_SCHEMAS),
  OPENAPI_METHOD,
];
