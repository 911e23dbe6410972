import {
  absoluteOffsets,
  DecodeError,
  parseTransaction,
  type ParsedTransaction,
} from '@monero-node/codec';
import { formatsOf, SPENDABLE_AGE, type Network } from '@monero-node/consensus';
import type { RpcChain } from '../dependencies.ts';

/** Ring members up to which, and outputs below which, nothing is looked at. */
const MIN_MEMBERS = 10;
const MIN_OUTPUTS = 10_000n;

/**
 * Whether the ring members of a transaction look like an honest wallet's: enough different ones, and enough
 * recent ones. No rule of the network; it keeps a client from giving itself away. A coinbase does not pass. Source: tx_sanity_check in src/cryptonote_core/tx_sanity_check.cpp.
 */
export function passesSanityCheck(
  parsed: ParsedTransaction,
  chain: Pick<RpcChain, 'store' | 'height'>,
): boolean {
  const members = ringMembers(parsed);
  if (members === undefined) return false;
  const outputs = BigInt(
    chain.store.outputCount(0n, Math.max(0, chain.height - SPENDABLE_AGE + 1)),
  );
  return areSane(members, outputs);
}

/**
 * The rule itself.
 *
 * @param members indices of all ring members of amount 0
 * @param outputs how many outputs of amount 0 may be ring members
 */
export function areSane(members: readonly bigint[], outputs: bigint): boolean {
  if (members.length <= MIN_MEMBERS || outputs < MIN_OUTPUTS) return true;
  const different = [...new Set(members)].sort((a, b) => (a < b ? -1 : 1));
  if (different.length < Math.floor((members.length * 8) / 10)) return false;
  return medianOf(different) >= (outputs * 6n) / 10n;
}

/** Returns undefined for a coinbase. */
function ringMembers({ tx: { inputs } }: ParsedTransaction): bigint[] | undefined {
  if (inputs.length === 1 && inputs[0]?.kind === 'gen') return undefined;
  return inputs.flatMap((input) =>
    input.kind === 'key' && input.amount === 0n ? absoluteOffsets(input.keyOffsets) : [],
  );
}

/** Decodes a transaction; returns undefined when the bytes do not decode. */
export function tryParseTransaction(
  network: Network,
  blob: Uint8Array,
): ParsedTransaction | undefined {
  try {
    return parseTransaction(blob, formatsOf(network));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function medianOf(sorted: readonly bigint[]): bigint {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0n;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0n) + upper) / 2n;
}
