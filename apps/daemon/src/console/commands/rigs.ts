import { RpcCallError, RpcError, type ReplyOf } from '@monero-node/rpc-client';
import {
  command,
  CommandError,
  expectCount,
  isUnreachable,
  type CommandContext,
} from '../command.ts';
import { hashesPerSecond, timeAgo, timestamp } from '../format.ts';

/** JSON-RPC: the method does not exist. */
const NO_SUCH_METHOD = -32601;
const NOT_SERVED = 'this daemon serves no rigs (--stratum-bind-port), or does not say';

type RigsAnswer = ReplyOf<'names', 'get_stratum_rigs'>;
type Rig = RigsAnswer['rigs'][number];

/**
 * Returns a sentence about all rigs for `status`; undefined when the daemon serves none, or is a restricted one, which does not say.
 * Throws RpcError when no daemon can be asked.
 */
export async function rigsState({ daemon }: CommandContext): Promise<string | undefined> {
  try {
    return `Rigs: ${summary(await daemon.rpc('get_stratum_rigs'))}`;
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
    return undefined;
  }
}

/** Returns a line for each rig, and one about all of them. */
async function rigs(args: readonly string[], { daemon, now }: CommandContext): Promise<string> {
  expectCount(args, 0, 0);
  const answer = await daemon.rpc('get_stratum_rigs').catch((error: unknown) => {
    const isUnknown = error instanceof RpcCallError && error.code === NO_SUCH_METHOD;
    throw isUnknown ? new CommandError(NOT_SERVED) : error;
  });
  return [...answer.rigs.map((rig) => rigLine(rig, now())), summary(answer)].join('\n');
}

function rigLine(rig: Rig, now: number): string {
  const { last_share: last, name, pays } = rig;
  const isConnected = rig.connections > 0;
  return [
    name,
    `${isConnected ? 'connected' : 'away'} since ${timestamp(Number(rig.since))}`,
    hashesPerSecond(rig.hash_rate),
    `difficulty ${rig.difficulty}`,
    shares(rig),
    last === 0n ? 'no share yet' : `last share ${timeAgo(Number(last), now)}`,
    `from ${rig.address}`,
    pays === 'login' ? 'pays its login' : 'pays the owner',
  ].join(', ');
}

function summary(answer: RigsAnswer): string {
  const { connected, hash_rate: rate, rigs } = answer;
  return `${connected} of ${rigs.length} connected at ${hashesPerSecond(rate)}, ${shares(answer)}`;
}

const shares = ({ accepted, stale, refused }: Pick<Rig, 'accepted' | 'stale' | 'refused'>) =>
  `${accepted} shares accepted, ${stale} stale, ${refused} wrong`;

/** Shows the rigs that mine for the node. */
export const RIGS_COMMAND = command(
  'rigs',
  'Show the rigs that mine for this node: hash rate, difficulty, shares, and since when.',
  rigs,
);
