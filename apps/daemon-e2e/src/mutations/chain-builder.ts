import { Fn } from '@monero-node/crypto/testing';
import {
  blockId,
  encodeLooseBlock,
  parseLooseBlock,
  transactionId,
  type LooseBlock,
} from '../chain/block.ts';
import { chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { encodeLoose, parseLoose, type LooseTransaction } from '../chain/transaction.ts';
import { OutputTable } from './output-table.ts';
import { ownedCoinbases, ownOutput, type OwnedOutput } from './owned-outputs.ts';
import {
  randomPoint,
  randomScalar,
  RING_SIZE,
  Spending,
  type Draft,
  type InputPlan,
  type OutputPlan,
  type SpendOptions,
} from './spend.ts';

/** The blobs of a block and its transactions. */
export interface Bundle {
  block: Buffer;
  txs: Buffer[];
}

/** Number of blocks taken from the recorded chain. They hold coinbases only, which are spendable at the end. */
export const RECORDED = 180;
const COINBASE_LOCK = 60;
const SPENDABLE_AGE = 10;
const FULL_REWARD_WEIGHT = 300_000n;
const EMISSION_SHIFT = 19n;
const MAX_SUPPLY = 2n ** 64n - 1n;
export const FEE = 1_000_000_000n;
/** A time in seconds that no test outlasts. */
const FAR_FUTURE = 4_000_000_000n;

/** Outputs of a transaction made by the set-up, with their secrets. */
export interface MadeOutputs {
  tx: LooseTransaction;
  outputs: OwnedOutput[];
}

export interface BlockOptions {
  txs?: readonly LooseTransaction[];
  /** Sum of the fees in atomic units; by default that of the transactions. */
  fees?: bigint;
  /** Changes the block before it is encoded. */
  edit?: (block: LooseBlock) => void;
}

/**
 * A chain of about 200 blocks with outputs that can be spent, and methods that build a valid or invalid next
 * block. The first blocks are from the recorded chain. The last ones are built here, so that there are young
 * outputs and outputs locked by height and by time.
 */
export class ChainBuilder {
  readonly blocks: Bundle[] = [];
  readonly table = new OutputTable();
  readonly spending = new Spending(this.table);
  /** Coinbases that are spendable at the end of the chain. */
  readonly owned: OwnedOutput[];
  /** Unlocked outputs made ten blocks before the end, which are spendable. */
  readonly plain: MadeOutputs;
  readonly lockedByHeight: MadeOutputs;
  readonly lockedByTime: MadeOutputs;
  /** Outputs made in the last block. */
  readonly young: MadeOutputs;
  /** An output that `plain` has spent. */
  readonly spent: OwnedOutput;
  /** Fee of the transactions that the cases make, atomic units. The pool asks for more than the default. */
  fee = FEE;
  #generated = 0n;
  #topId: Buffer = Buffer.alloc(32);
  #timestamps: bigint[] = [];

  constructor() {
    for (const { block, txs, generatedCoins } of recordedBlocks().slice(0, RECORDED)) {
      this.#append({ block, txs });
      this.#generated = generatedCoins;
    }
    const oldEnough = this.table.outputs.filter(
      (output) => output.height <= RECORDED - COINBASE_LOCK,
    );
    const [first, second, third, fourth, ...rest] = ownedCoinbases(chainFacts().wallets, oldEnough);
    if (
      first === undefined ||
      second === undefined ||
      third === undefined ||
      fourth === undefined
    ) {
      throw new Error('the recorded chain holds no outputs to spend');
    }
    this.spent = first;
    this.owned = rest;
    const made = [
      this.#make(first, {}),
      this.#make(second, { unlockTime: BigInt(this.height + 1000) }),
      this.#make(third, { unlockTime: FAR_FUTURE }),
    ] as const;
    this.#mine(made.map(({ tx }) => tx));
    [this.plain, this.lockedByHeight, this.lockedByTime] = made.map((each) =>
      this.#known(each),
    ) as [MadeOutputs, MadeOutputs, MadeOutputs];
    for (let i = 0; i < SPENDABLE_AGE; i++) this.#mine([]);
    const last = this.#make(fourth, {});
    this.#mine([last.tx]);
    this.young = this.#known(last);
  }

  /** Height of the chain, which is the height of the next block. */
  get height(): number {
    return this.blocks.length;
  }

  get topId(): Buffer {
    return this.#topId;
  }

  /** Timestamps of the chain's blocks. */
  get timestamps(): readonly bigint[] {
    return this.#timestamps;
  }

  /** Returns the reward of the next block without fees. It shrinks above a weight of 300,000. */
  reward(weight = 0n): bigint {
    const base = (MAX_SUPPLY - this.#generated) >> EMISSION_SHIFT;
    const median = FULL_REWARD_WEIGHT;
    // Twice the median is always too much, and the formula does not apply there.
    if (weight <= median || weight > 2n * median) return base;
    return (base * ((2n * median - weight) * weight)) / median / median;
  }

  /** Returns the next block with the given transactions. It is valid unless `edit` makes it invalid. */
  block(options: BlockOptions = {}): Bundle {
    const txs = options.txs ?? [];
    const fees = options.fees ?? txs.reduce((sum, tx) => sum + (tx.ringct?.fee ?? 0n), 0n);
    const minerTx: LooseTransaction = {
      version: 2n,
      unlockTime: BigInt(this.height + COINBASE_LOCK),
      inputs: [{ kind: 'gen', height: BigInt(this.height) }],
      outputs: [{ amount: this.reward() + fees, key: randomPoint(), viewTag: 7 }],
      extra: Buffer.concat([Buffer.from([1]), randomPoint()]),
      ringct: {
        type: 0,
        fee: 0n,
        encryptedAmounts: [],
        commitments: [],
        rangeProofs: [],
        signatures: [],
        pseudoOuts: [],
      },
    };
    const blobs = txs.map(encodeLoose);
    const output = minerTx.outputs[0];
    if (output !== undefined) {
      const weight = [encodeLoose(minerTx), ...blobs].reduce((sum, blob) => sum + blob.length, 0);
      output.amount = this.reward(BigInt(weight)) + fees;
    }
    const block: LooseBlock = {
      major: 16n,
      minor: 16n,
      timestamp: (this.#timestamps.at(-1) ?? 0n) + 1n,
      prevId: this.#topId,
      nonce: 0,
      minerTx,
      txHashes: txs.map(transactionId),
    };
    options.edit?.(block);
    return { block: encodeLooseBlock(block), txs: blobs };
  }

  /** Returns an input that spends `spent` in a ring of old coinbases, in ascending order. */
  input(spent: OwnedOutput, { size = RING_SIZE }: { size?: number } = {}): InputPlan {
    const ring = new Set([spent.output.index]);
    const old = this.table.outputs.filter(
      (output) => output.coinbase && output.height <= RECORDED - COINBASE_LOCK,
    );
    for (let i = 0; ring.size < size; i++) {
      const decoy = old[(spent.output.index * 7 + i * 5) % old.length];
      if (decoy !== undefined) ring.add(decoy.index);
    }
    return { spent, ring: [...ring].sort((a, b) => a - b) };
  }

  /** Returns an unsigned spend of coinbases (one by default) to two new outputs. */
  draft(options: Partial<SpendOptions> & { inputCount?: number } = {}): Draft {
    const spent = this.owned.slice(0, options.inputCount ?? 1);
    const inputs = options.inputs ?? spent.map((each) => this.input(each));
    const fee = options.fee ?? this.fee;
    const total = inputs.reduce((sum, input) => sum + input.spent.amount, 0n);
    return this.spending.draft({
      ...options,
      inputs,
      fee,
      outputs: options.outputs ?? twoOutputs(total - fee),
    });
  }

  /** Returns a draft that was changed and then signed, so that only the change is invalid. */
  signed(
    edit: (tx: LooseTransaction, draft: Draft) => void = () => undefined,
    options: Partial<SpendOptions> & { inputCount?: number } = {},
  ): LooseTransaction {
    const draft = this.draft(options);
    edit(draft.tx, draft);
    return this.spending.sign(draft);
  }

  /** Returns a transaction that was signed and then changed. */
  broken(
    edit: (tx: LooseTransaction) => void,
    options: Partial<SpendOptions> & { inputCount?: number } = {},
  ): LooseTransaction {
    const tx = this.signed(undefined, options);
    edit(tx);
    return tx;
  }

  /** Returns the next block with one transaction. */
  blockWith(tx: LooseTransaction): Bundle {
    return this.block({ txs: [tx] });
  }

  #make(
    spent: OwnedOutput,
    options: { unlockTime?: bigint },
  ): { tx: LooseTransaction; plans: OutputPlan[] } {
    const plans = twoOutputs(spent.amount - FEE);
    const draft = this.spending.draft({
      ...options,
      inputs: [this.input(spent)],
      outputs: plans,
      fee: FEE,
    });
    return { tx: this.spending.sign(draft), plans };
  }

  /** Returns the outputs of a transaction that was just added to the chain. */
  #known({ tx, plans }: { tx: LooseTransaction; plans: OutputPlan[] }): MadeOutputs {
    const id = transactionId(tx);
    const outputs = this.table.outputs
      .filter((output) => !output.coinbase && transactionId(output.tx).equals(id))
      .map((output) => {
        const plan = plans[output.position];
        if (plan === undefined) throw new Error('an output without plan');
        return ownOutput(output, plan.key, plan.amount, plan.mask);
      });
    return { tx, outputs };
  }

  #mine(txs: readonly LooseTransaction[]): void {
    const reward = this.reward();
    this.#append(this.block({ txs }));
    this.#generated += reward;
  }

  #append(bundle: Bundle): void {
    const block = parseLooseBlock(bundle.block);
    this.table.add(this.height, block, bundle.txs.map(parseLoose));
    this.blocks.push(bundle);
    this.#topId = blockId(block);
    this.#timestamps.push(block.timestamp);
  }
}

/** Returns two outputs whose sum is `total`. Their masks never change, so range proofs can be reused. */
export function twoOutputs(total: bigint): OutputPlan[] {
  const half = total / 2n;
  return [
    { key: randomScalar(), amount: half, mask: Fn.create(0x1234567890abcdefn ** 3n) },
    { key: randomScalar(), amount: total - half, mask: Fn.create(0xfedcba0987654321n ** 3n) },
  ];
}
