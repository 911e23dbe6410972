import type { HandlerOf } from '../method.ts';
import { toHex } from '@monero-node/codec';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import { tryHex } from '../encoding/hex.ts';
import {
  compareReversed,
  ID_BITS,
  isTemplate,
  matchesTemplate,
} from '../transactions/tx-id-template.ts';
import { visiblePool } from '../transactions/visible-pool.ts';
import type { RpcContext } from '../context.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import { MAX_LOOSE_TXIDS, MAX_RESTRICTED_LOOSE_TXIDS } from '../limits.ts';

/**
 * Returns the 32-byte ids that match a template in some bits, so that a wallet finds its transactions without revealing
 * them. Throws JsonRpcError for a malformed template and for too many matches; RpcStatus with BUSY while other searches
 * run.
 * Source: on_get_txids_loose in src/rpc/core_rpc_server.cpp, of releases later than 0.18.
 */
export const getTxidsLoose: HandlerOf<'getTxidsLoose'> = async (
  { txid_template, num_matching_bits: bits },
  context,
) => {
  const most = context.restricted ? MAX_RESTRICTED_LOOSE_TXIDS : MAX_LOOSE_TXIDS;
  if (bits > ID_BITS) throw refused('There are only 256 bits in a hash, you gave too many');
  if (expectedMatches(context, bits) > 2 * most) {
    throw refused('Trying to search with too few matching bits, detected before fetching');
  }
  const template = tryHex(txid_template);
  if (template?.length !== ID_BITS / 8) throw refused('Could not decode hex txid');
  if (!isTemplate(template, bits)) {
    throw refused(
      'Txid template is not zeroed correctly for number of bits. You could be leaking true txid!',
    );
  }
  const txids = await find(context, { template, bits, most });
  if (txids.length > most) throw refused('Trying to search with too few matching bits');
  return { txids };
};

/** Memory of an id. */
const BYTES_PER_ID = 150;

const refused = (message: string): JsonRpcError => new JsonRpcError(RPC_ERROR.wrongParam, message);

/** Coinbases included. */
function expectedMatches({ chain }: RpcContext, bits: number): number {
  return Math.floor((chain.top.cumulativeTxCount + chain.height) / 2 ** Math.min(bits, 63));
}

interface Query {
  readonly template: Uint8Array;
  readonly bits: number;
  readonly most: number;
}

/** Those of the chain and then those of the pool, each in the order of monerod's database. */
async function find(context: RpcContext, query: Query): Promise<Uint8Array[]> {
  const inPool = (): Uint8Array[] =>
    visiblePool(context)
      .map(({ id }) => id)
      .filter((id) => matchesTemplate(id, query.template, query.bits));
  const before = inPool();
  const inChain = await context.resting(
    context.txIdSearch.find(context.chain, { ...query, client: context.client }),
  );
  if (inChain === 'busy') throw new RpcStatus(BUSY);
  if (inChain === 'too-many') throw refused('Trying to search with too few matching bits');
  const sorted = [...inChain].sort(compareReversed);
  // Looking through the chain takes time in which blocks and reorganisations move transactions to and fro.
  const known = new Set(sorted.map(toHex));
  const pool = new Map([...before, ...inPool()].map((id) => [toHex(id), id]));
  const rest = [...pool].flatMap(([hex, id]) => (known.has(hex) ? [] : [id]));
  const all = [...sorted, ...rest.sort(compareReversed)];
  context.holds(all.length * BYTES_PER_ID);
  return all;
}
