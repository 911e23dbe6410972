import { parseRun, parseTransactions } from '@monero-node/blockchain';
import type {
  AddBlockResult,
  AddSpanOptions,
  IncomingBlock,
  ParsedRun,
} from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { CONSENSUS_ERROR_SENTENCES, formatsOf, type Network } from '@monero-node/consensus';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { mayBeOurs, pointsForBlock } from '../peers/bans/error-penalties.ts';
import type { ReceivedBlock } from './span-queue.ts';

/** Returns whether a block was added or known. */
export function isGood(result: AddBlockResult): boolean {
  return (
    result.status === 'added' ||
    result.status === 'reorganized' ||
    result.status === 'alternative' ||
    result.status === 'known'
  );
}

/** Why a block was not added. */
interface BlockFailure {
  readonly reason: string;
  /** Points for its sender. */
  readonly penalty: number;
  /** Whether the sender is surely to blame. */
  readonly isCertain: boolean;
}

/** Returns why a block was not added. */
export function describeFailure(result: AddBlockResult | undefined): BlockFailure {
  switch (result?.status) {
    case 'invalid': {
      const { code } = result.error;
      const id = result.id ? ` ${toHex(result.id)}` : '';
      return {
        reason: `invalid block${id}: ${CONSENSUS_ERROR_SENTENCES[code]}`,
        penalty: pointsForBlock(code),
        isCertain: !mayBeOurs(code),
      };
    }
    case 'missing-txs':
      return { reason: 'a block without its transactions', penalty: 0, isCertain: true };
    default:
      return { reason: 'a block whose parent is unknown', penalty: 1, isCertain: true };
  }
}

/** What is known about blocks that are to be added. */
interface Received extends Pick<AddSpanOptions, 'origin' | 'next'> {
  /** The host that sent the first block: its bad work counts against it. */
  readonly host?: string | undefined;
  /** The blocks as {@link decodeAhead} has returned them. */
  readonly decoded?: readonly IncomingBlock[] | undefined;
  /** Called when all of the blocks have been decoded and handed to the chain. */
  readonly onDecoded?: (() => void) | undefined;
}

/**
 * Verifies and stores consecutive blocks, up to the first that does not decode or is invalid.
 * Resolves with one result for each block that was tried.
 */
export async function addReceived(
  chain: ChainForP2p,
  blocks: readonly ReceivedBlock[],
  { host, origin, next, decoded, onDecoded }: Received = {},
): Promise<AddBlockResult[]> {
  const run: ParsedRun = decoded
    ? { blocks: decoded }
    : await parseRun(blocks, (block) => decodeUnlessKnown(chain, block));
  const client = host === undefined ? undefined : { host };
  const adding = chain.addSpan(run.blocks, { origin, client, next });
  if (run.error === undefined) onDecoded?.();
  const { results } = await adding;
  if (run.error === undefined || !results.every(isGood)) return results;
  const id = blocks[run.blocks.length]?.block.id;
  return [...results, { status: 'invalid', error: run.error, ...(id && { id }) }];
}

/**
 * Decodes blocks before it is their turn. Returns undefined if one does not decode: whoever adds them finds it again, on the chain as it
 * is then.
 */
export async function decodeAhead(
  network: Network,
  blocks: readonly ReceivedBlock[],
): Promise<readonly IncomingBlock[] | undefined> {
  const run = await parseRun(blocks, (block) => decode(network, block));
  return run.error === undefined ? run.blocks : undefined;
}

/** Throws ConsensusError `bad-tx-blob` when a transaction does not decode, unless the chain has the block. */
function decodeUnlessKnown(chain: ChainForP2p, received: ReceivedBlock): IncomingBlock {
  try {
    return decode(chain.network, received);
  } catch (error) {
    const { block } = received;
    // The transactions of a known block are not needed.
    if (chain.has(block.id) !== undefined) return { block, txs: [] };
    throw error;
  }
}

/** Throws ConsensusError `bad-tx-blob` when a transaction does not decode. */
function decode(network: Network, received: ReceivedBlock): IncomingBlock {
  const { block, txs, prunableHashes, outlined } = received;
  const sent = { txs, prunableHashes, formats: formatsOf(network) };
  return { block, txs: parseTransactions(sent, outlined?.()) };
}
