import { effortOf, type LedgerEntry } from '@monero-node/miner/ledger-block';
import { wideNumber } from '../encoding/wide-number.ts';
import type { RpcChain, RpcRig, RpcStratum } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Most blocks of an answer. */
const MOST_BLOCKS = 1000;

/** Stands for a server that is not there, whose call is not served either. */
const NO_RIGS: RpcStratum = {
  rigs: [],
  counts: { shares: { accepted: 0, stale: 0, refused: 0 } },
};

/**
 * Returns blocks that this node has found, the newest first. Throws RpcStatus when more than 1000 are asked for.
 */
const getMiningLedger: HandlerOf<'getMiningLedger'> = (
  { count, offset },
  { services: { chain, ledger } },
) => {
  if (count > MOST_BLOCKS) throw new RpcStatus(`At most ${MOST_BLOCKS} blocks at a time`);
  const entries = ledger?.entries ?? [];
  const hashes = ledger?.hashes ?? 0;
  const end = Math.max(0, entries.length - Number(offset));
  const shown = entries.slice(Math.max(0, end - Number(count)), end).reverse();
  return {
    blocks: shown.map((entry) => ledgerBlock(entry, chain)),
    effort_percent: percent(hashes / Number(chain.nextDifficulty())),
    hashes: Math.round(hashes),
    orphaned: entries.filter(({ fate }) => fate === 'orphaned').length,
    total: entries.length,
  };
};

function ledgerBlock(entry: LedgerEntry, { height: chainHeight, store }: RpcChain) {
  const { block, fate } = entry;
  const { height, id, finder, reward, foundAt, hashes } = block;
  const { low, top, wide } = wideNumber(block.difficulty);
  const effort = effortOf(block);
  const isInChain = fate !== 'orphaned' && height < store.height;
  return {
    confirmations: isInChain ? chainHeight - height : 0,
    difficulty: low,
    difficulty_top64: top,
    effort_percent: effort === undefined ? undefined : percent(effort),
    fate,
    finder: finder.kind,
    hash: id,
    hashes,
    height,
    reward,
    rig: finder.kind === 'rig' ? finder.rig : undefined,
    timestamp: foundAt,
    wide_difficulty: wide,
  };
}

const percent = (ratio: number): number => Math.round(100 * ratio);

/** Returns the rigs that have logged in since the start, and their sums. */
const getStratumRigs: HandlerOf<'getStratumRigs'> = (
  _request,
  { services: { stratum = NO_RIGS } },
) => {
  const { rigs, counts } = stratum;
  const { accepted, refused, stale } = counts.shares;
  return {
    accepted,
    connected: rigs.filter(({ connections }) => connections > 0).length,
    hash_rate: Math.round(rigs.reduce((sum, { rate }) => sum + rate.current, 0)),
    refused,
    rigs: rigs.map(rigRow),
    stale,
  };
};

function rigRow(rig: RpcRig) {
  return {
    accepted: rig.accepted,
    address: rig.address,
    agent: rig.agent,
    blocks: rig.blocks,
    connections: rig.connections,
    difficulty: rig.shareDifficulty,
    hash_rate: Math.round(rig.rate.current),
    last_share: rig.lastShareAt,
    name: rig.name,
    pays: rig.pays,
    refused: rig.refused,
    since: rig.since,
    stale: rig.stale,
  };
}

export const OWN_MINING_ROWS = {
  getMiningLedger: {
    handler: getMiningLedger,
    answeredBy: 'main',
    available: ({ ledger }) => ledger !== undefined,
  },
  getStratumRigs: {
    handler: getStratumRigs,
    answeredBy: 'main',
    available: ({ stratum }) => stratum !== undefined,
  },
} satisfies Partial<MethodRows>;
