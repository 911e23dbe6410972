import type { Yielder } from '@monero-node/base';
import { isUnlocked, rulesFor } from '@monero-node/consensus';
import type { Lookups } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_OUTPUTS } from '../limits.ts';

export interface OutputAnswer {
  readonly amount: bigint;
  readonly height: number;
  readonly key: Uint8Array;
  /** Commitment; of an output with a clear amount the one that stands for it. */
  readonly mask: Uint8Array;
  /** Empty unless asked for. */
  readonly txid: Uint8Array;
  readonly unlocked: boolean;
}

const NOTHING = new Uint8Array(0);

/** The parts of a call's context that a lookup of outputs needs. */
interface OutputContext {
  readonly services: {
    readonly chain: RpcChain;
    readonly commitToAmount: (amount: bigint) => Uint8Array;
  };
  readonly restricted: boolean;
  readonly yielder: Yielder;
  readonly holds: (bytes: number) => void;
}

interface OutputPlace {
  /** Atomic units; 0 is the RCT list. */
  readonly amount: bigint;
  /** Global index in the list of the amount. */
  readonly index: bigint;
}

/** Outputs that are read from the disk together, before they are looked up. */
const READ_AHEAD = 500;
/** Memory of one output. */
const BYTES_PER_OUTPUT = 500;

/** Looks up outputs by amount and index in the amount's list. Throws RpcStatus when one is unknown or they are too many. */
export async function lookUpOutputs(
  context: OutputContext,
  requested: readonly OutputPlace[],
  withTxId: boolean,
): Promise<OutputAnswer[]> {
  if (context.restricted && requested.length > MAX_RESTRICTED_OUTPUTS) {
    throw new RpcStatus('Too many outs requested');
  }
  const { services, yielder } = context;
  const { chain, commitToAmount } = services;
  const { store } = chain;
  const answers: OutputAnswer[] = [];
  let rules = rulesFor(chain.nextVersion());
  for (const [i, { amount, index }] of requested.entries()) {
    const isNext = i % READ_AHEAD === 0;
    const next = () => lookupsOf(requested.slice(i, i + READ_AHEAD));
    const pause = isNext ? store.prefetch(next) : yielder.yieldIfDue();
    if (pause !== undefined) {
      await pause;
      rules = rulesFor(chain.nextVersion());
    }
    const at = Number(index);
    const output = Number.isSafeInteger(at) ? store.output(amount, at) : undefined;
    if (output === undefined) throw new RpcStatus('Failed');
    const { height, key, commitment, unlockTime } = output;
    answers.push({
      amount,
      height,
      key,
      mask: commitment ?? commitToAmount(amount),
      txid: withTxId ? (store.outputOrigin(amount, at, height)?.txId ?? NOTHING) : NOTHING,
      unlocked: isUnlocked(rules, unlockTime, chain.height, () => chain.adjustedTime()),
    });
  }
  context.holds(answers.length * BYTES_PER_OUTPUT);
  return answers;
}

function lookupsOf(places: readonly OutputPlace[]): Lookups {
  const outputs = new Map<bigint, number[]>();
  for (const { amount, index } of places) {
    const indices = outputs.get(amount) ?? [];
    indices.push(Number(index));
    outputs.set(amount, indices);
  }
  return { txIds: [], keyImages: [], outputs };
}
