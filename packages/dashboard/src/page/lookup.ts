import { ActionError, callMethod, callPath } from './calls.ts';

/** A block that was looked for. */
export interface FoundBlock {
  readonly kind: 'block';
  readonly height: number;
  readonly id: string;
  /** Unix seconds, as the miner claims. */
  readonly timestamp: number;
  /** Blocks above it. */
  readonly depth: number;
  /** Whether another block has its place in the main chain. */
  readonly isOrphan: boolean;
  /** With the fees, atomic units. */
  readonly reward: number;
  readonly difficulty: number;
  readonly weight: number;
  readonly version: number;
  /** Ids, that of the miner transaction first. */
  readonly transactions: readonly string[];
}

/** A transaction that was looked for. */
export interface FoundTransaction {
  readonly kind: 'transaction';
  readonly id: string;
  /** Height of its block; null in the pool. */
  readonly height: number | null;
  readonly confirmations: number;
  /** Unix seconds of its block, or at which the pool received it; null when the node does not say. */
  readonly time: number | null;
  /** Whether another transaction spends the same coins. */
  readonly isDoubleSpend: boolean;
  /** Atomic units; null where the transaction does not say. */
  readonly fee: number | null;
  readonly inputs: number;
  readonly outputs: number;
  /** Members of each ring; null for a miner transaction. */
  readonly ringSize: number | null;
}

/** What was looked for is unknown to the node. */
export interface FoundNothing {
  readonly kind: 'nothing';
  /** A sentence. */
  readonly text: string;
}

export type Found = FoundBlock | FoundTransaction | FoundNothing;

/** At most 12 digits, with or without groups of three. */
const HEIGHT = /^(?:\d{1,12}|\d{1,3}(?:[\s,.']\d{3}){1,3})$/;
const ID = /^[0-9a-f]{64}$/;

/**
 * Looks for a block by height or id, or for a transaction by id, and returns what the node answers. Throws ActionError.
 *
 * @param text as somebody has typed it; a height may be in groups of three digits
 */
export async function lookUp(text: string): Promise<Found> {
  const wanted = text.trim().toLowerCase();
  if (HEIGHT.test(wanted)) {
    const height = Number(wanted.replace(/\D/g, ''));
    return (await blockAt({ height })) ?? UNKNOWN_HEIGHT;
  }
  if (!ID.test(wanted)) return UNREADABLE;
  return (await transactionWith(wanted)) ?? (await blockAt({ hash: wanted })) ?? UNKNOWN_ID;
}

const UNREADABLE: FoundNothing = {
  kind: 'nothing',
  text: 'This is neither a height nor an id of 64 hex digits.',
};
const UNKNOWN_HEIGHT: FoundNothing = {
  kind: 'nothing',
  text: 'The chain has no block at this height.',
};
const UNKNOWN_ID: FoundNothing = {
  kind: 'nothing',
  text: 'The node knows no block and no transaction with this id.',
};

interface BlockAnswer {
  readonly block_header: {
    readonly height: number;
    readonly hash: string;
    readonly timestamp: number;
    readonly depth: number;
    readonly orphan_status: boolean;
    readonly reward: number;
    readonly difficulty: number;
    readonly block_weight: number;
    readonly major_version: number;
  };
  readonly miner_tx_hash: string;
  readonly tx_hashes?: readonly string[];
}

/** Error of `get_block` for a height above the chain. */
const TOO_HIGH = -2;
/** Error for an unknown id, and for failures of the machine too, which are told apart by the words. */
const INTERNAL = -5;

/** Returns whether `get_block` says that the node does not have the block. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof ActionError)) return false;
  const { code, message } = error;
  return code === TOO_HIGH || (code === INTERNAL && message.includes("can't get block"));
}

async function blockAt(which: object): Promise<FoundBlock | undefined> {
  let answer: BlockAnswer;
  try {
    answer = (await callMethod('get_block', which)) as BlockAnswer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { block_header: header, miner_tx_hash: minerTx, tx_hashes: others = [] } = answer;
  return {
    kind: 'block',
    height: header.height,
    id: header.hash,
    timestamp: header.timestamp,
    depth: header.depth,
    isOrphan: header.orphan_status,
    reward: header.reward,
    difficulty: header.difficulty,
    weight: header.block_weight,
    version: header.major_version,
    transactions: [minerTx, ...others],
  };
}

interface TransactionAnswer {
  readonly as_json: string;
  readonly block_height?: number;
  readonly block_timestamp?: number;
  readonly confirmations?: number;
  readonly double_spend_seen: boolean;
  readonly in_pool: boolean;
  readonly received_timestamp?: number;
}

/** The parts of a transaction's JSON that are shown. */
interface TransactionJson {
  readonly vin: readonly { readonly key?: { readonly key_offsets: readonly number[] } }[];
  readonly vout: readonly unknown[];
  readonly rct_signatures?: { readonly txnFee?: number };
}

async function transactionWith(id: string): Promise<FoundTransaction | undefined> {
  const request = { txs_hashes: [id], decode_as_json: true, prune: true };
  const answer = (await callPath('/get_transactions', request)) as {
    readonly txs?: readonly TransactionAnswer[];
  };
  const entry = answer.txs?.[0];
  if (entry === undefined) return undefined;
  const { vin, vout, rct_signatures: signatures } = JSON.parse(entry.as_json) as TransactionJson;
  const time = entry.in_pool ? entry.received_timestamp : entry.block_timestamp;
  return {
    kind: 'transaction',
    id,
    height: entry.in_pool ? null : (entry.block_height ?? null),
    confirmations: entry.confirmations ?? 0,
    time: time === undefined || time === 0 ? null : time,
    isDoubleSpend: entry.double_spend_seen,
    fee: signatures?.txnFee ?? null,
    inputs: vin.length,
    outputs: vout.length,
    ringSize: vin[0]?.key?.key_offsets.length ?? null,
  };
}
