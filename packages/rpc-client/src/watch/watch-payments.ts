import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { fromHex } from '@monero-node/codec/bytes';
import { type ChainSteps, Follower, type TakenStep } from './follower.ts';
import { NodeSet } from './node-set.ts';
import {
  type Payment,
  type PaymentScanner,
  type PaymentsPosition,
  paymentsOf,
  readPaymentsPosition,
  storedPayment,
} from './payment.ts';
import { PoolFollower } from './pool-follower.ts';
import { PoolPayments, type PaymentsInPool } from './pool-payments.ts';
import { Wakes } from './wakes.ts';
import type { ChainEvent } from './watch-blocks.ts';
import {
  assertWhole,
  chainRule,
  type Followed,
  followed,
  WATCH_BLOCKS_OPTIONS,
  type WatchBlocksOptions,
} from './watch-options.ts';

/** Options of {@link watchPayments}. */
export interface WatchPaymentsOptions extends Omit<WatchBlocksOptions, 'position'> {
  /** Finds the outputs of the account: a Scanner of wallet-primitives, or a worker with one. */
  readonly scanner: PaymentScanner;
  /** Where to go on: that of an event. Checked, for it comes from a store. */
  readonly position?: PaymentsPosition | undefined;
  /** How many blocks there must be from that of a payment on, itself included, before it is `confirmed`; 10 by default. */
  readonly confirmations?: number | undefined;
  /** Whether to tell of payments in the pool too; false by default. */
  readonly pool?: boolean | undefined;
}

const OPTIONS: OptionTable<WatchPaymentsOptions> = {
  ...WATCH_BLOCKS_OPTIONS,
  position: OPTIONAL,
  scanner: NEEDED,
  pool: OPTIONAL,
};

/** A block was added to the chain, with or without payments. */
export interface PaymentsApplied extends Omit<ChainEvent, 'position'> {
  readonly kind: 'applied';
  /** The payments that it has. */
  readonly payments: readonly Payment[];
  /**
   * The payments of an earlier block that have enough confirmations with this one. They are told again when a reorganization replaces
   * this block but not theirs: whoever acts on it must do so once for each `key`.
   */
  readonly confirmed: readonly Payment[];
  /** Where to go on after this event. */
  readonly position: PaymentsPosition;
}

/** A block is no longer in the chain. */
export interface PaymentsReverted extends Omit<ChainEvent, 'position'> {
  readonly kind: 'reverted';
  /** The payments that it had. They may come again in another block. */
  readonly payments: readonly Payment[];
  /** Where to go on after this event. */
  readonly position: PaymentsPosition;
}

/** What {@link watchPayments} tells. */
export type PaymentEvent = PaymentsApplied | PaymentsReverted | PaymentsInPool;

/**
 * Finds the payments to an account: returns an event for each block from a height on, with its payments and with those of earlier ones
 * that are confirmed by it, and for each block that a reorganization takes away. Blocks without payments are told too, so that the
 * position goes on; there is no need to store it for each of them.
 *
 * Store what an event says and its position in one transaction of your database. After a crash, give the last stored position: what came
 * after it is told again, and nothing else is.
 *
 * Follows the nodes as `watchBlocks` does, which has the rules for several of them, and throws and rejects as it does.
 */
export function watchPayments(
  options: WatchPaymentsOptions,
): AsyncGenerator<PaymentEvent, void, void> {
  checkOptions('watchPayments', options, OPTIONS);
  const { confirmations = 10, position, scanner, pool = false } = options;
  const { client, interval, wakes, signal, timeout, onTrouble, from, depth = 100 } = options;
  assertWhole('confirmations', confirmations, 1, depth);
  const nodes = followed({ client, interval, wakes, signal, timeout, onTrouble });
  const start = position === undefined ? undefined : readPaymentsPosition(position);
  const rule = chainRule({ position: start, from, depth });
  const set = new NodeSet(nodes);
  const follower = new Follower(nodes, rule, set);
  const book = new PaymentBook(start, confirmations, depth);
  const inPool = pool
    ? new PoolPayments(nodes, set, { scanner, pool: new PoolFollower(nodes, set), follower })
    : undefined;
  return paymentEvents(nodes, { follower, book, scanner, inPool });
}

interface Parts {
  readonly follower: Follower;
  readonly book: PaymentBook;
  readonly scanner: PaymentScanner;
  readonly inPool: PoolPayments | undefined;
}

async function* paymentEvents(
  { interval, signal, wakes, onTrouble }: Followed,
  { follower, book, scanner, inPool }: Parts,
): AsyncGenerator<PaymentEvent, void, void> {
  const waiting = new Wakes(wakes, interval, signal, (error) => {
    onTrouble({ node: undefined, error });
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const found = await follower.look();
      const paid = await paymentsByHeight(found, scanner);
      for (const step of found.steps) {
        signal.throwIfAborted();
        const taken = follower.take(step, found.work);
        const height = step.kind === 'applied' ? step.block.height : step.height;
        const event =
          step.kind === 'applied'
            ? book.apply(height, taken, taken.isTold ? (paid.get(height) ?? []) : [])
            : book.revert(height, taken);
        if (taken.isTold) yield event;
      }
      // A node that is behind is first followed to its end: the pool is news.
      if (found.steps.length > 0) continue;
      if (inPool !== undefined) yield* inPool.look();
      await waiting.next();
    }
  } finally {
    waiting.close();
  }
}

/** Returns the payments in the blocks that were added, by height. */
async function paymentsByHeight(
  { steps }: ChainSteps,
  scanner: PaymentScanner,
): Promise<Map<number, Payment[]>> {
  const blocks = steps.flatMap((step) => (step.kind === 'applied' ? [step.block] : []));
  const paid = new Map<number, Payment[]>();
  if (blocks.length === 0) return paid;
  for (const found of await scanner.scanBlocks(blocks.map(({ entry }) => entry))) {
    const { blockIndex, transactionIndex, transaction } = found;
    const block = blocks[blockIndex];
    if (block === undefined) continue;
    const { height, parsed } = block;
    // A pruned transaction may not tell its id, but its block does.
    const id = parsed.block.txHashes[transactionIndex - 1] ?? transaction.id;
    paid.set(height, [...(paid.get(height) ?? []), ...paymentsOf(found, id, height)]);
  }
  return paid;
}

/** The payments of the blocks that a reorganization may take away. */
class PaymentBook {
  readonly #confirmations: number;
  readonly #depth: number;
  readonly #payments = new Map<number, readonly Payment[]>();

  constructor(start: PaymentsPosition | undefined, confirmations: number, depth: number) {
    this.#confirmations = confirmations;
    this.#depth = depth;
    for (const stored of start?.payments ?? []) {
      const { height, amount, unlockTime, paymentId } = stored;
      const payment: Payment = {
        key: stored.key,
        transaction: stored.transaction,
        output: stored.output,
        amount: BigInt(amount),
        subaddress: stored.subaddress,
        paymentId: paymentId ?? undefined,
        isCoinbase: stored.isCoinbase,
        unlockTime: BigInt(unlockTime),
        height,
      };
      this.#payments.set(height, [...(this.#payments.get(height) ?? []), payment]);
    }
  }

  /** Adds the payments of a block. */
  apply(height: number, taken: TakenStep, payments: readonly Payment[]): PaymentsApplied {
    if (payments.length > 0) this.#payments.set(height, payments);
    this.#payments.delete(height - this.#depth);
    const confirmed = this.#payments.get(height - this.#confirmations + 1) ?? [];
    const id = fromHex(taken.id);
    return { kind: 'applied', height, id, payments, confirmed, position: this.#position(taken) };
  }

  /** Takes away the payments of a block. */
  revert(height: number, taken: TakenStep): PaymentsReverted {
    const payments = this.#payments.get(height) ?? [];
    this.#payments.delete(height);
    const id = fromHex(taken.id);
    return { kind: 'reverted', height, id, payments, position: this.#position(taken) };
  }

  #position({ position }: TakenStep): PaymentsPosition {
    const { version, genesis, from, height, ids, work } = position;
    const payments = [...this.#payments].flatMap(([at, list]) =>
      at > height - ids.length ? list.map((payment) => storedPayment(payment, at)) : [],
    );
    return { version, genesis, from, height, ids, work, payments };
  }
}
