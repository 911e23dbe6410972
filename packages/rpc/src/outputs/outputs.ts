import type { Yielder } from '@monero-node/base';
import { fixedForm, RenderedList } from '@monero-node/codec/portable-storage';
import { isUnlocked, rulesFor } from '@monero-node/consensus';
import { BINARY_OUTPUT } from '@monero-node/rpc-schema';
import type { Lookups, OutputSlot } from '@monero-node/storage';
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
/** Outputs between two looks at the clock, a divisor of `READ_AHEAD`: they take less than a tenth of a millisecond, if none waits for the disk. */
const OUTPUTS_PER_LOOK = 20;
/** Memory of one output as an object. */
const BYTES_PER_OUTPUT = 500;

/** Looks up outputs by amount and index in the amount's list. Throws RpcStatus when one is unknown or they are too many. */
export async function lookUpOutputs(
  context: OutputContext,
  requested: readonly OutputPlace[],
  withTxId: boolean,
): Promise<OutputAnswer[]> {
  const {
    chain: { store },
    commitToAmount,
  } = context.services;
  const answers: OutputAnswer[] = [];
  await eachOutput(context, requested, (amount, index, unlocked) => {
    const output = store.output(amount, index);
    if (output === undefined) return false;
    const { height, key, commitment, unlockTime } = output;
    answers.push({
      amount,
      height,
      key,
      mask: commitment ?? commitToAmount(amount),
      txid: withTxId ? (store.outputOrigin(amount, index, height)?.txId ?? NOTHING) : NOTHING,
      unlocked: unlocked(unlockTime),
    });
    return true;
  });
  context.holds(answers.length * BYTES_PER_OUTPUT);
  return answers;
}

/** An output of the binary answer. */
const FORM = fixedForm(BINARY_OUTPUT);
const ROW_BYTES = FORM.bytes.length;
const AT = {
  amount: offsetOf('amount'),
  height: offsetOf('height'),
  key: offsetOf('key'),
  mask: offsetOf('mask'),
  txid: offsetOf('txid'),
  unlocked: offsetOf('unlocked'),
};

function offsetOf(name: string): number {
  const offset = FORM.offsets.get(name);
  if (offset === undefined) throw new TypeError(`an output has no ${name}`);
  return offset;
}

/**
 * Looks up the same outputs as `lookUpOutputs`, as they stand in the binary answer: wallets ask for many of them, and none becomes
 * an object. Throws RpcStatus when one is unknown or they are too many.
 */
export async function renderOutputs(
  context: OutputContext,
  requested: readonly OutputPlace[],
  withTxId: boolean,
): Promise<RenderedList> {
  refuseTooMany(context, requested);
  const {
    chain: { store },
    commitToAmount,
  } = context.services;
  const size = ROW_BYTES * requested.length;
  context.holds(size);
  const bytes = emptyRows(size);
  const view = new DataView(bytes.buffer);
  const slot = slotIn(bytes);
  let start = 0;
  await eachOutput(context, requested, (amount, index, unlocked) => {
    slot.keyAt = start + AT.key;
    slot.commitmentAt = start + AT.mask;
    slot.txIdAt = withTxId ? start + AT.txid : undefined;
    if (!store.readOutput(slot, amount, index)) return false;
    if (!slot.hasCommitment) bytes.set(commitToAmount(amount), slot.commitmentAt);
    if (amount !== 0n) view.setBigUint64(start + AT.amount, amount, true);
    // Of 8 bytes; a height has four.
    view.setUint32(start + AT.height, slot.height, true);
    if (unlocked(slot.unlockTime)) bytes[start + AT.unlocked] = 1;
    start += ROW_BYTES;
    return true;
  });
  return new RenderedList(requested.length, bytes);
}

/** Returns rows without values that take `size` bytes, copied in as few pieces as can be. */
function emptyRows(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  if (size > 0) bytes.set(FORM.bytes);
  for (let filled = ROW_BYTES; filled < size; filled *= 2) bytes.copyWithin(filled, 0, filled);
  return bytes;
}

function slotIn(bytes: Uint8Array): OutputSlot {
  const places = { keyAt: 0, commitmentAt: 0, txIdAt: undefined };
  return { bytes, ...places, hasCommitment: false, unlockTime: 0n, height: 0 };
}

/**
 * Takes one output; `isUnlocked` says whether one with an unlock time may be spent in the next block. Returns false for an unknown one.
 */
type TakeOutput = (
  amount: bigint,
  index: number,
  isUnlocked: (unlockTime: bigint) => boolean,
) => boolean;

/** Calls `take` for each output, read ahead and in slices. Throws RpcStatus when one is unknown or they are too many. */
async function eachOutput(
  context: OutputContext,
  requested: readonly OutputPlace[],
  take: TakeOutput,
): Promise<void> {
  refuseTooMany(context, requested);
  const { chain } = context.services;
  let rules = rulesFor(chain.nextVersion());
  let time: number | undefined;
  const now = (): number => (time ??= chain.adjustedTime());
  const unlocked = (unlockTime: bigint): boolean =>
    isUnlocked(rules, unlockTime, chain.height, now);
  for (let i = 0; i < requested.length; i++) {
    const pause = i % OUTPUTS_PER_LOOK === 0 ? pauseBefore(context, requested, i) : undefined;
    if (pause !== undefined) {
      await pause;
      rules = rulesFor(chain.nextVersion());
      time = undefined;
    }
    const { amount, index } = requested[i] as OutputPlace;
    const at = Number(index);
    if (!Number.isSafeInteger(at) || !take(amount, at, unlocked)) throw new RpcStatus('Failed');
  }
}

/** Has the next outputs read ahead, if it is time for that; else returns a promise if the turn of the call is over. */
function pauseBefore(
  { services: { chain }, yielder }: OutputContext,
  requested: readonly OutputPlace[],
  at: number,
): Promise<void> | undefined {
  if (at % READ_AHEAD !== 0) return yielder.yieldIfDue();
  return chain.store.prefetch(() => lookupsOf(requested.slice(at, at + READ_AHEAD)));
}

/** Throws RpcStatus for more outputs than a call of a restricted listener may ask for. */
function refuseTooMany({ restricted }: OutputContext, requested: readonly OutputPlace[]): void {
  if (restricted && requested.length > MAX_RESTRICTED_OUTPUTS) {
    throw new RpcStatus('Too many outs requested');
  }
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
