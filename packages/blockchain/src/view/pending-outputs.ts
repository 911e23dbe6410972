import type { RingSlot } from '@monero-node/consensus';
import type { BlockRecord } from '@monero-node/storage';
import { HASH_SIZE, putHash } from '@monero-node/storage/memory';
import { PendingOrigin } from './carrot-outputs.ts';

/** Key of the list of RingCT outputs. */
const RCT_LIST = 0n;
/** Numbers of an output in its list. */
const STRIDE = 3;

/** The transactions of a block, for the question which of its outputs are Carrot outputs. */
interface Origins {
  /** The number of outputs up to the end of each transaction. */
  readonly ends: Uint32Array;
  readonly origins: readonly PendingOrigin[];
}

/**
 * The outputs of blocks that are not stored yet, by their lists. An output is three numbers here: its block, its position among the outputs
 * of the block, and that of its commitment. An object for each of them would outlive many collections of garbage.
 */
export class PendingOutputs {
  readonly #records: BlockRecord[] = [];
  readonly #lists = new Map<bigint, number[]>();
  readonly #rctList: number[] = [];
  readonly #origins = new Map<BlockRecord, Origins>();

  constructor() {
    this.#lists.set(RCT_LIST, this.#rctList);
  }

  /** Adds the outputs of a block on top of those before. */
  add(record: BlockRecord): void {
    const block = this.#records.push(record) - 1;
    const { amounts } = record.outputs;
    let commitment = 0;
    for (let output = 0; output < amounts.length; output++) {
      const amount = amounts[output] as bigint;
      if (amount === RCT_LIST) this.#rctList.push(block, output, commitment++);
      else this.#listOf(amount).push(block, output, 0);
    }
  }

  /** Returns the number of outputs of an amount, 0 for RingCT outputs. */
  count(amount: bigint): number {
    const list = amount === RCT_LIST ? this.#rctList : this.#lists.get(amount);
    return list === undefined ? 0 : list.length / STRIDE;
  }

  /**
   * Reads an output by its position among those of its amount; returns whether there is one.
   *
   * @param hasCarrot whether it may be a Carrot output: to find that out, its transaction is read
   */
  read(slot: RingSlot, amount: bigint, position: number, hasCarrot: boolean): boolean {
    const isRct = amount === RCT_LIST;
    const list = isRct ? this.#rctList : this.#lists.get(amount);
    const record = this.#records[list?.[STRIDE * position] ?? -1];
    if (list === undefined || record === undefined) return false;
    const { outputs, meta } = record;
    const output = list[STRIDE * position + 1] as number;
    const commitment = list[STRIDE * position + 2] as number;
    slot.height = meta.height;
    slot.unlockTime = outputs.unlockTimes[output] as bigint;
    slot.hasCommitment = isRct;
    putHash(slot.bytes, slot.keyAt, outputs.keys, HASH_SIZE * output);
    if (isRct) putHash(slot.bytes, slot.commitmentAt, outputs.commitments, HASH_SIZE * commitment);
    slot.isCarrot = isRct && hasCarrot && this.#isCarrot(record, output);
    return true;
  }

  #listOf(amount: bigint): number[] {
    const known = this.#lists.get(amount);
    if (known !== undefined) return known;
    const list: number[] = [];
    this.#lists.set(amount, list);
    return list;
  }

  #isCarrot(record: BlockRecord, output: number): boolean {
    let block = this.#origins.get(record);
    if (block === undefined) this.#origins.set(record, (block = originsOf(record)));
    const { ends, origins } = block;
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > output) high = middle;
      else low = middle + 1;
    }
    return origins[low]?.isCarrot === true;
  }
}

function originsOf(record: BlockRecord): Origins {
  const { counts } = record.outputs;
  let end = 0;
  const ends = counts.map((count) => (end += count));
  return { ends, origins: Array.from(counts, (_, tx) => new PendingOrigin(record, tx)) };
}
