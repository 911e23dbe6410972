import { rulesFor, type PowAlgorithm, type RandomxAlgorithm } from '../forks/fork-table.ts';
import { RANDOMX_ALGORITHMS } from './networks.ts';
import type { Network } from './types.ts';

/** What proves the work of a block. */
export interface PowRule {
  readonly algorithm: PowAlgorithm;
  /** Whether the difficulty is compared with the commitment to the hash (Blake2b-256 of the hashing blob and the hash), not with the hash. */
  readonly commitment: boolean;
}

/** Returns whether an algorithm is a version of RandomX, which takes the id of a seed block as its key. */
export function isRandomxAlgorithm(algorithm: PowAlgorithm): algorithm is RandomxAlgorithm {
  return RANDOMX_ALGORITHMS.some((name) => name === algorithm);
}

/**
 * Returns what proves the work of blocks of a major version on a network: what the newest fork up to that version names, and otherwise
 * what the fork table has. Throws RangeError for an unknown version.
 *
 * Source: get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp, and get_randomx_variant_for_hf_version of
 * monero-project/monero#10038, which gives version 17 and later RandomX version 2 and the commitment.
 */
export function powRuleOf(network: Pick<Network, 'hardForks'>, version: number): PowRule {
  const { powAlgorithm } = rulesFor(version);
  const named = network.hardForks.findLast(
    (fork) => fork.version <= version && fork.powAlgorithm !== undefined,
  );
  const algorithm = named?.powAlgorithm ?? powAlgorithm;
  return { algorithm, commitment: named?.powCommitment ?? algorithm === 'randomx-v2' };
}
