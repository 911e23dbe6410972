import type { ReplyOf } from '@monero-node/rpc-client';
import { command, expectCount, naturalNumber, type CommandContext } from '../command.ts';
import { money, timestamp } from '../format.ts';

/** Blocks that are shown unless another number is given. */
const USUAL_BLOCKS = 20;

type FoundBlock = ReplyOf<'names', 'get_mining_ledger'>['blocks'][number];

/** Returns a line for each of the newest blocks that the node has found, the newest first, and one about all of them. */
async function miningLedger(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  const [text] = args;
  const count = text === undefined ? USUAL_BLOCKS : naturalNumber(text, 'the number of blocks');
  const { blocks, ...all } = await daemon.rpc('get_mining_ledger', { count });
  const effort = `effort since the last one ${all.effort_percent}%`;
  return [
    ...blocks.map(blockLine),
    `${all.total} blocks found, ${all.orphaned} orphaned, ${effort}`,
  ].join('\n');
}

function blockLine(block: FoundBlock): string {
  const { effort_percent: effort, fate, finder, height, reward, rig = '' } = block;
  return [
    `${height}`,
    timestamp(Number(block.timestamp)),
    rig === '' ? finder : `rig ${rig}`,
    `reward ${money(reward)}`,
    // Nobody has counted the hashes of others.
    ...(finder === 'rig' || finder === 'miner' ? [`effort ${effort}%`] : []),
    fate,
  ].join(', ');
}

/** Shows the blocks that the node has found. */
export const LEDGER_COMMAND = command(
  'mining_ledger [<count>]',
  'Show the newest blocks that this node has found and what has become of them (20 by default).',
  miningLedger,
);
