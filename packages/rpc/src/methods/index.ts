import { METHOD_SCHEMAS, OPENAPI_METHOD, type MethodKey } from '@monero-node/rpc-schema';
import { bindMethod, type MethodRows, type RpcMethod } from '../method.ts';
import { ACCESS_ROWS } from './access.ts';
import { BAN_ROWS } from './bans.ts';
import { BLOCK_ROWS } from './blocks.ts';
import { CHAIN_ROWS } from './chain.ts';
import { HEADER_ROWS } from './headers.ts';
import { MINING_ROWS } from './mining.ts';
import { NODE_ROWS } from './node.ts';
import { openApi } from './openapi.ts';
import { OUTPUT_ROWS } from './outputs.ts';
import { OWN_MINING_ROWS } from './own-mining.ts';
import { CLIENT_ROWS } from './clients.ts';
import { PEER_ROWS } from './peers.ts';
import { POOL_ROWS } from './pool.ts';
import { TEMPLATE_ROWS } from './templates.ts';
import { TRANSACTION_ROWS } from './transactions.ts';

/** Exactly one row for every schema; the compiler finds those that are missing. */
const ROWS: MethodRows = {
  ...CHAIN_ROWS,
  ...HEADER_ROWS,
  ...BLOCK_ROWS,
  ...TRANSACTION_ROWS,
  ...OUTPUT_ROWS,
  ...POOL_ROWS,
  ...TEMPLATE_ROWS,
  ...MINING_ROWS,
  ...OWN_MINING_ROWS,
  ...CLIENT_ROWS,
  ...PEER_ROWS,
  ...BAN_ROWS,
  ...NODE_ROWS,
  ...ACCESS_ROWS,
};

/** Every method this node can serve. */
export const METHODS: readonly RpcMethod[] = [
  ...(Object.keys(METHOD_SCHEMAS) as MethodKey[]).map((key) =>
    bindMethod(METHOD_SCHEMAS[key], ROWS[key]),
  ),
  bindMethod(OPENAPI_METHOD, { handler: openApi, answeredBy: 'main' }),
];
