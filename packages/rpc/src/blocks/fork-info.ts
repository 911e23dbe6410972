import type { Yielder } from '@monero-node/base';
import { earliestHeightOf, type HardFork } from '@monero-node/consensus';
import type { RpcChain } from '../dependencies.ts';
import type { ForkVotes } from './fork-votes.ts';

/** Height of a fork that is not listed. */
const NEVER = (1n << 64n) - 1n;

/** 365.25 days. */
const YEAR = 31_557_600;

const LIKELY_FORKED = 0;
const UPDATE_NEEDED = 1;
const READY = 2;

/** The services that a report on a fork needs. */
interface ForkServices {
  readonly chain: RpcChain;
  readonly forkVotes: ForkVotes;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Returns the answer of `hard_fork_info`; `asked` 0 is the next fork. */
export async function forkInfo(
  asked: number,
  { chain, forkVotes, now }: ForkServices,
  yielder: Yielder,
) {
  const { network } = chain;
  const current = chain.nextVersion();
  const version = asked === 0 ? versionAfter(network.hardForks, chain.height) : asked;
  const { window, votes } = await forkVotes.count(chain, version, yielder);
  return {
    earliest_height: earliestHeightOf(network, version) ?? NEVER,
    enabled: current >= version,
    state: forkState(network.hardForks, now()),
    // No fork of any network asks for a share of votes: heights decide.
    threshold: 0,
    version: current,
    votes,
    voting: network.hardForks.at(-1)?.version ?? 1,
    window,
  };
}

/** The fork after the one in force for a chain of that height, or the last. */
function versionAfter(forks: readonly HardFork[], height: number): number {
  const next = forks.find((fork) => fork.height > height) ?? forks.at(-1);
  return next?.version ?? 1;
}

/** Guesses from the age of the last known fork whether a newer one may have passed this node by. */
function forkState(forks: readonly HardFork[], now: number): number {
  const last = forks.at(-1);
  if (last === undefined || forks.length <= 1) return READY;
  if (now >= last.time + YEAR) return LIKELY_FORKED;
  return now >= last.time + YEAR / 2 ? UPDATE_NEEDED : READY;
}
