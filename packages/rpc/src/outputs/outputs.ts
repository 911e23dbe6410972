import type { Yielder } from '@monero-node/base';
import { isUnlocked, rulesFor } from '@monero-node/consensus';
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
  readonly chain: RpcChain;
  readonly restricted: boolean;
  readonly yielder: Yielder;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly holds: (bytes: number) => void;
}

/** Memory of one output. */
const BYTES_PER_OUTPUT = 500;

/** Looks up outputs by amount and index in the amount's list. Throws RpcStatus when one is unknown or they are too many. */
export async function lookUpOutputs(
  context: OutputContext,
  requested: readonly { readonly amount: bigint; readonly index: bigint }[],
  withTxId: boolean,
): Promise<OutputAnswer[]> {
  if (context.restricted && requested.length > MAX_RESTRICTED_OUTPUTS) {
    throw new RpcStatus('Too many outs requested');
  }
  const { chain, yielder } = context;
  const { store } = chain;
  const answers: OutputAnswer[] = [];
  let rules = rulesFor(chain.nextVersion());
  for (const { amount, index } of requested) {
    const pause = yielder.yieldIfDue();
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
      mask: commitment ?? context.commitToAmount(amount),
      txid: withTxId ? (store.outputOrigin(amount, at, height)?.txId ?? NOTHING) : NOTHING,
      unlocked: isUnlocked(rules, unlockTime, chain.height, () => chain.adjustedTime()),
    });
  }
  context.holds(answers.length * BYTES_PER_OUTPUT);
  return answers;
}
