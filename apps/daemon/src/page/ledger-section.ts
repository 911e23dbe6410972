import {
  MOST_BLOCKS as MOST_LISTED,
  type FoundRow,
  type LedgerFacts,
  type RigRow,
} from '@monero-node/dashboard';
import { effortOf, finderName, type LedgerEntry } from '@monero-node/miner';
import type { RigRecord } from '@monero-node/stratum';
import type { PageSources } from './page-sources.ts';

/** Most blocks and rigs that are listed. */
const MOST_BLOCKS = 20;
const MOST_RIGS = 64;
/** Newest blocks over which luck is counted. */
const LUCK_BLOCKS = 100;

/** The parts of the node that the section shows. */
type LedgerSources = Pick<PageSources, 'blockchain' | 'ledger' | 'miner' | 'stratum'>;

/** Returns the facts about rigs and about the blocks that this node has found. */
export function ledgerSection(sources: LedgerSources): LedgerFacts {
  const { blockchain, ledger, miner, stratum } = sources;
  const difficulty = Number(blockchain.nextDifficulty());
  const rigs = (stratum?.rigs ?? []).map(rigRow).sort(byImportance);
  const { active, speed } = miner.status;
  const hashRate = rigs.reduce((sum, rig) => sum + rig.hashRate, active ? speed : 0);
  const { entries } = ledger;
  return {
    rigs: rigs.slice(0, MOST_RIGS),
    connected: rigs.filter(({ isConnected }) => isConnected).length,
    hashRate: rounded(hashRate),
    secondsToBlock: hashRate === 0 ? null : rounded(difficulty / hashRate),
    effort: rounded(ledger.hashes / difficulty),
    luck: luckOf(entries.slice(-LUCK_BLOCKS)),
    total: entries.length,
    orphaned: entries.filter(({ fate }) => fate === 'orphaned').length,
    own: entries
      .filter(({ block, fate }) => {
        return fate !== 'orphaned' && block.height >= blockchain.height - MOST_LISTED;
      })
      .map(({ block }) => block.id),
    found: entries.slice(-MOST_BLOCKS).reverse().map(foundRow),
  };
}

function rigRow(record: Readonly<RigRecord>): RigRow {
  const { name, connections, rate, lastShareAt, accepted, stale, refused, blocks } = record;
  return {
    name,
    isConnected: connections > 0,
    hashRate: rounded(rate.current),
    lastShareAt: lastShareAt ?? null,
    accepted,
    stale,
    refused,
    blocks,
  };
}

const byImportance = (a: RigRow, b: RigRow): number =>
  Number(b.isConnected) - Number(a.isConnected) || b.hashRate - a.hashRate;

function foundRow({ block, fate }: LedgerEntry): FoundRow {
  const { height, id, finder, reward, foundAt } = block;
  const effort = effortOf(block);
  return {
    height,
    id,
    finder: finderName(finder),
    reward: Number(reward),
    effort: effort === undefined ? null : rounded(effort),
    foundAt,
    fate,
  };
}

function luckOf(entries: readonly LedgerEntry[]): number | null {
  const counted = entries.filter(({ block }) => block.hashes !== undefined);
  const hashes = counted.reduce((sum, { block }) => sum + (block.hashes ?? 0), 0);
  const expected = counted.reduce((sum, { block }) => sum + Number(block.difficulty), 0);
  return hashes === 0 ? null : rounded(expected / hashes);
}

/** Three digits: a figure is sent again only when a reader can see that it has changed. */
const rounded = (value: number): number => Number(value.toPrecision(3));
