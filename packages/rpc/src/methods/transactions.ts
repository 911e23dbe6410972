import {
  parsePrunedTransaction,
  parseTransaction,
  toHex,
  transactionToJson,
} from '@monero-node/codec';
import { BUSY, RPC_ERROR, type TransactionAnswer } from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';
import { tryHex } from '../encoding/hex.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import {
  MAX_LOOSE_TXIDS,
  MAX_RESTRICTED_KEY_IMAGES,
  MAX_RESTRICTED_LOOSE_TXIDS,
  MAX_RESTRICTED_TRANSACTIONS,
} from '../limits.ts';
import type { HandlerOf, MethodRows } from '../method.ts';
import { findVisibleTransaction, type FoundTransaction } from '../transactions/find-transaction.ts';
import { passesSanityCheck, tryParseTransaction } from '../transactions/sanity-check.ts';
import {
  compareReversed,
  ID_BITS,
  isTemplate,
  matchesTemplate,
} from '../transactions/tx-id-template.ts';
import { returnedToPool, visiblePool } from '../transactions/visible-pool.ts';

interface Shape {
  readonly split: boolean;
  readonly prune: boolean;
  readonly decode_as_json: boolean;
}

/** Bytes of entries that are kept for the other lists they are in. Those beyond are read again for each list. */
const HELD_BYTES = 4 * 1024 * 1024;
/** Memory of an id, as it was sent and as bytes. */
const BYTES_PER_ID = 300;
/** Longest answer, bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024 * 1024;
/** Bytes of an answer for each byte of a transaction, at most: hex in two lists; with JSON that in two lists too. */
const ANSWER_BYTES_PER_BYTE = { hex: 4, json: 16 };

/**
 * Returns transactions of the chain and the pool by id, and the ids it did not find. Throws RpcStatus for text that is
 * not a 32-byte id in hex, for too many ids on a restricted listener, and when the answer could exceed 1 GiB.
 */
const getTransactions: HandlerOf<'getTransactions'> = async (request, context) => {
  const { txs_hashes: hashes } = request;
  if (context.restricted && hashes.length > MAX_RESTRICTED_TRANSACTIONS) {
    throw new RpcStatus('Too many transactions requested in restricted mode');
  }
  const ids: Uint8Array[] = [];
  for (const hash of hashes) {
    const pause = context.yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    ids.push(transactionId(hash));
  }
  await returnedToPool(context.services.pool, context.resting);
  const found = new FoundEntries(context, request);
  const missed: Uint8Array[] = [];
  for (const [i, id] of ids.entries()) {
    const pause = context.yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    if (!found.add(id, hashes[i] ?? toHex(id))) missed.push(id);
  }
  context.holds(hashes.length * BYTES_PER_ID + found.keptBytes);
  return {
    missed_tx: missed,
    txs: found.entries((entry) => entry),
    // Kept for clients older than `txs`.
    txs_as_hex: found.entries((entry) => entry.as_hex),
    txs_as_json: request.decode_as_json ? found.entries((entry) => entry.as_json) : [],
  };
};

/** The entries of an answer, which are made while it is sent, but for the first few, which are kept. */
class FoundEntries {
  readonly #context: RpcContext;
  readonly #shape: Shape;
  readonly #ids: { readonly id: Uint8Array; readonly hash: string }[] = [];
  readonly #kept: TransactionAnswer[] = [];
  #bytes = 0;
  #keptBytes = 0;

  constructor(context: RpcContext, shape: Shape) {
    this.#context = context;
    this.#shape = shape;
  }

  /** `hash` is the id as the client wrote it. Returns whether the transaction is known. Throws RpcStatus when the answer could become too long. */
  add(id: Uint8Array, hash: string): boolean {
    const found = findVisibleTransaction(this.#context, id);
    if (found === undefined) return false;
    const perByte = ANSWER_BYTES_PER_BYTE[this.#shape.decode_as_json ? 'json' : 'hex'];
    this.#bytes += (found.pruned.length + found.prunable.length) * perByte;
    if (this.#bytes > MAX_ANSWER_BYTES) throw new RpcStatus('Too many transactions requested');
    this.#ids.push({ id, hash });
    if (this.#bytes <= HELD_BYTES) {
      this.#kept.push(this.#entry(found, id, hash));
      this.#keptBytes = this.#bytes;
    }
    return true;
  }

  /** Memory of the entries that are kept, at most. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Returns a part of each entry. A short list is ready; the items of a long one are made one by one. */
  entries<T>(part: (entry: TransactionAnswer) => T): readonly T[] | AsyncIterable<T> {
    return this.#kept.length === this.#ids.length ? this.#kept.map(part) : this.#made(part);
  }

  async *#made<T>(part: (entry: TransactionAnswer) => T): AsyncGenerator<T> {
    for (const [i, { id, hash }] of this.#ids.entries()) {
      await this.#context.yielder.yieldIfDue();
      yield part(this.#kept[i] ?? this.#readAgain(id, hash));
    }
  }

  #readAgain(id: Uint8Array, hash: string): TransactionAnswer {
    const found = findVisibleTransaction(this.#context, id);
    if (found === undefined) throw new Error(`${toHex(id)} was removed while it was sent`);
    return this.#entry(found, id, hash);
  }

  #entry(found: FoundTransaction, id: Uint8Array, hash: string): TransactionAnswer {
    const {
      services: { transactionTexts },
      restricted,
    } = this.#context;
    const { decode_as_json: decoded, prune } = this.#shape;
    const entry = { ...entryOf(found, this.#shape, restricted), tx_hash: hash };
    if (!decoded) return entry;
    const pruned = prune || found.prunable.length === 0;
    const text = transactionTexts.get(id, pruned, () => asJson(found, pruned));
    return { ...entry, as_json: text };
  }
}

function transactionId(text: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes === undefined) {
    throw new RpcStatus('Failed to parse hex representation of transaction hash');
  }
  if (bytes.length !== 32) throw new RpcStatus('Failed, size of data mismatch');
  return bytes;
}

/** The time of receipt would reveal the origin of a transaction: restricted listeners return 0. */
function entryOf(
  found: FoundTransaction,
  shape: Shape,
  restricted: boolean,
): Omit<TransactionAnswer, 'tx_hash'> {
  const { pruned, prunable, prunableHash } = found;
  // A transaction without a prunable part, such as a coinbase, is always sent split, as 0.18 does.
  const split = shape.split || shape.prune || prunable.length === 0;
  const place = found.inPool
    ? { received_timestamp: restricted ? 0 : found.receiveTime, relayed: found.relayed }
    : {
        block_height: found.height,
        block_timestamp: found.blockTimestamp,
        confirmations: found.confirmations,
        output_indices: found.outputIndices,
        unified_ids: found.unifiedIds,
      };
  return {
    as_hex: split ? NOTHING : Buffer.concat([pruned, prunable]),
    as_json: '',
    double_spend_seen: found.inPool && found.doubleSpendSeen,
    in_pool: found.inPool,
    prunable_as_hex: split && !shape.prune ? prunable : NOTHING,
    prunable_hash: prunableHash,
    pruned_as_hex: split ? pruned : NOTHING,
    ...place,
  };
}

function asJson({ pruned, prunable, prunableHash }: FoundTransaction, isPruned: boolean): string {
  return isPruned
    ? transactionToJson(parsePrunedTransaction(pruned, prunableHash), { pruned: true })
    : transactionToJson(parseTransaction(Buffer.concat([pruned, prunable])));
}

const NOTHING = new Uint8Array(0);

/**
 * Returns the 32-byte ids that match a template in some bits, so that a wallet finds its transactions without revealing
 * them. Throws JsonRpcError for a malformed template and for too many matches; RpcStatus with BUSY while other searches
 * run.
 * Source: on_get_txids_loose in src/rpc/core_rpc_server.cpp, of releases later than 0.18.
 */
const getTxidsLoose: HandlerOf<'getTxidsLoose'> = async (
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
const BYTES_PER_FOUND_ID = 150;

const refused = (message: string): JsonRpcError => new JsonRpcError(RPC_ERROR.wrongParam, message);

/** Coinbases included. */
function expectedMatches({ services: { chain } }: RpcContext, bits: number): number {
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
    context.services.txIdSearch.find(context.services.chain, { ...query, client: context.client }),
  );
  if (inChain === 'busy') throw new RpcStatus(BUSY);
  if (inChain === 'too-many') throw refused('Trying to search with too few matching bits');
  const sorted = [...inChain].sort(compareReversed);
  // Looking through the chain takes time in which blocks and reorganizations move transactions to and fro.
  const known = new Set(sorted.map(toHex));
  const pool = new Map([...before, ...inPool()].map((id) => [toHex(id), id]));
  const rest = [...pool].flatMap(([hex, id]) => (known.has(hex) ? [] : [id]));
  const all = [...sorted, ...rest.sort(compareReversed)];
  context.holds(all.length * BYTES_PER_FOUND_ID);
  return all;
}

const UNSPENT = 0;
const SPENT_ON_CHAIN = 1;
const SPENT_IN_POOL = 2;

/**
 * Returns for each key image whether the chain or the pool spends it. Throws RpcStatus for text that is not 32 bytes in
 * hex, and for too many key images on a restricted listener.
 */
const isKeyImageSpent: HandlerOf<'isKeyImageSpent'> = async (
  request,
  { services: { chain, pool }, restricted, resting, yielder },
) => {
  if (restricted && request.key_images.length > MAX_RESTRICTED_KEY_IMAGES) {
    throw new RpcStatus('Too many key images queried in restricted mode');
  }
  const keyImages: Uint8Array[] = [];
  for (const text of request.key_images) {
    await yielder.yieldIfDue();
    keyImages.push(keyImageFromHex(text));
  }
  await returnedToPool(pool, resting);
  const status: number[] = [];
  for (const keyImage of keyImages) {
    await yielder.yieldIfDue();
    if (chain.store.keyImageHeight(keyImage) !== undefined) status.push(SPENT_ON_CHAIN);
    else status.push(pool.isSpent(keyImage, !restricted) ? SPENT_IN_POOL : UNSPENT);
  }
  return { spent_status: status };
};

function keyImageFromHex(text: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes === undefined) {
    throw new RpcStatus('Failed to parse hex representation of key image');
  }
  if (bytes.length !== 32) throw new RpcStatus('Failed, size of data mismatch');
  return bytes;
}

const FAILED = 'Failed';

/**
 * Adds a transaction to the pool. Throws RpcStatus with the flags when it is refused, and with BUSY until the node is
 * synchronized and when too many wait to be verified: monerod's wallets then tell their user to try again later, and do not
 * take the transaction for a wrong one. As in monerod, the reason in words goes to the log only.
 * Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp.
 */
const sendRawTransaction: HandlerOf<'sendRawTransaction'> = async (
  request,
  { services: { chain, p2p, transactions, logger } },
) => {
  if (transactions === undefined || !p2p.synchronized) throw new RpcStatus(BUSY);
  const blob = tryHex(request.tx_as_hex);
  if (blob === undefined) throw new RpcStatus(FAILED);
  const parsed = request.do_sanity_checks ? tryParseTransaction(chain.network, blob) : undefined;
  if (request.do_sanity_checks && (!parsed || !passesSanityCheck(parsed, chain))) {
    throw new RpcStatus(FAILED, { sanity_check_failed: true, reason: 'Sanity check failed' });
  }
  const answer = await transactions.submit(parsed ?? blob, { doNotRelay: request.do_not_relay });
  if (!answer.ok) {
    logger.info(`submitted transaction not accepted: ${answer.why ?? answer.flags.join(', ')}`);
    if (answer.isBusy === true) throw new RpcStatus(BUSY);
    const flags = Object.fromEntries(answer.flags.map((flag) => [flag, true]));
    throw new RpcStatus(FAILED, { ...flags, reason: answer.reason });
  }
  return { ...NO_FLAGS, not_relayed: answer.notRelayed, reason: answer.reason };
};

const NO_FLAGS = {
  double_spend: false,
  fee_too_low: false,
  invalid_input: false,
  invalid_output: false,
  low_mixin: false,
  nonzero_unlock_time: false,
  not_rct: false,
  overspend: false,
  sanity_check_failed: false,
  too_big: false,
  too_few_outputs: false,
  tx_extra_too_big: false,
};

/**
 * Sends pool transactions to peers again. Throws JsonRpcError naming the malformed and unknown ids; the others are sent
 * all the same.
 * Source: on_relay_tx in src/rpc/core_rpc_server.cpp.
 */
const relayTx: HandlerOf<'relayTx'> = ({ txids }, { services: { transactions } }) => {
  const complaints = txids.flatMap((text) => {
    const id = tryHex(text);
    if (id?.length !== 32) return [`invalid transaction id: ${text}`];
    return transactions?.relay(id) === true ? [] : [`transaction not found in pool: ${text}`];
  });
  if (complaints.length > 0) throw new JsonRpcError(RPC_ERROR.internal, complaints.join(', '));
  return {};
};

export const TRANSACTION_ROWS = {
  // Passed on when one of them is not in the chain.
  getTransactions: { handler: getTransactions, answeredBy: 'worker', isForwarded: true },
  getTxidsLoose: { handler: getTxidsLoose, answeredBy: 'main' },
  // Passed on when one of them is not spent in the chain.
  isKeyImageSpent: { handler: isKeyImageSpent, answeredBy: 'worker', isForwarded: true },
  sendRawTransaction: { handler: sendRawTransaction, answeredBy: 'main', isForwarded: true },
  relayTx: { handler: relayTx, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
