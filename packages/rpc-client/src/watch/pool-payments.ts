import { toHex } from '@monero-node/codec/bytes';
import { RpcAnswerError } from '../errors.ts';
import type { BlockPlace, ChainNode } from './chain-node.ts';
import type { Follower } from './follower.ts';
import type { NodeSet } from './node-set.ts';
import { type FoundTransaction, type Payment, type PaymentScanner, paymentsOf } from './payment.ts';
import type { PoolEvent, PoolFollower } from './pool-follower.ts';
import type { Followed } from './watch-options.ts';

/**
 * Payments came into the pool, or left it for a block or for good. A payment is gone too when the chain has spent its coins elsewhere,
 * although the pool may keep it; it is seen again if that block leaves the chain.
 *
 * There is no position: after a restart, all that is in the pool is seen again. What a block took may be gone before the block is told.
 */
export interface PaymentsInPool {
  readonly kind: 'seen' | 'gone';
  readonly payments: readonly Payment[];
}

/** A transaction of the pool that pays the account. */
interface Waiting {
  readonly payments: readonly Payment[];
  /** Of its inputs, hex. */
  readonly keyImages: readonly string[];
  /** Whether it was seen, and is not gone. */
  isTold: boolean;
  /** The last block that was followed when nodes said whether the coins are spent, hex; undefined before they did. */
  askedAt: string | undefined;
}

/** What finds the payments in the pool. */
export interface PoolPaymentsParts {
  readonly scanner: PaymentScanner;
  readonly pool: Pick<PoolFollower, 'look'>;
  readonly follower: Pick<Follower, 'top'>;
}

/** What `/is_key_image_spent` says of a key image that is spent in the chain. Source: core_rpc_server_commands_defs.h. */
const SPENT_IN_CHAIN = 1;
/** Most key images in one request, of which a restricted node takes 5,000. Source: core_rpc_server.cpp. */
const MOST_ASKED = 1000;

/**
 * The payments in the pool. Whether their coins are spent is asked of nodes that have the last block that was followed, once for each such
 * block: others do not know it. The key images tell them which transactions pay the account.
 */
export class PoolPayments {
  readonly #followed: Followed;
  readonly #nodes: NodeSet;
  readonly #scanner: PaymentScanner;
  readonly #pool: PoolPaymentsParts['pool'];
  readonly #follower: PoolPaymentsParts['follower'];
  /** By the id of the transaction, hex. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(followed: Followed, nodes: NodeSet, { scanner, pool, follower }: PoolPaymentsParts) {
    this.#followed = followed;
    this.#nodes = nodes;
    this.#scanner = scanner;
    this.#pool = pool;
    this.#follower = follower;
  }

  /** Looks at the pool once and returns what is new. */
  async *look(): AsyncGenerator<PaymentsInPool, void, void> {
    for await (const events of this.#pool.look()) {
      for (const event of events) {
        const payments = this.#left(event);
        if (payments !== undefined) yield { kind: 'gone', payments };
      }
      await this.#add(events);
    }
    yield* this.#news();
  }

  /** Returns the payments of a transaction that left, unless they are not known, or gone already. */
  #left(event: PoolEvent): readonly Payment[] | undefined {
    if (event.kind !== 'removed') return undefined;
    const id = toHex(event.id);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting?.isTold === true ? waiting.payments : undefined;
  }

  async #add(events: readonly PoolEvent[]): Promise<void> {
    const added = events.flatMap((event) => (event.kind === 'added' ? [event.transaction] : []));
    if (added.length === 0) return;
    for (const found of await this.#scanner.scan(added)) {
      const payments = paymentsOf(found, found.transaction.id, undefined);
      if (payments.length === 0) continue;
      const keyImages = keyImagesOf(found);
      const id = toHex(found.transaction.id);
      this.#waiting.set(id, { payments, keyImages, isTold: false, askedAt: undefined });
    }
  }

  /** Returns what is seen, and what is gone although it is in the pool. */
  async *#news(): AsyncGenerator<PaymentsInPool, void, void> {
    const { top } = this.#follower;
    if (top === undefined) return;
    const asked = [...this.#waiting.values()].filter(({ askedAt }) => askedAt !== top.id);
    if (asked.length === 0) return;
    const spent = await this.#spent(
      asked.flatMap(({ keyImages }) => keyImages),
      top,
    );
    if (spent === undefined) return;
    for (const waiting of asked) {
      waiting.askedAt = top.id;
      const isLost = waiting.keyImages.some((image) => spent.has(image));
      if (waiting.isTold === !isLost) continue;
      waiting.isTold = !isLost;
      yield { kind: isLost ? 'gone' : 'seen', payments: waiting.payments };
    }
  }

  /** Returns those key images that are spent in the chain of each node that has a block; undefined when no such node answers. */
  async #spent(
    images: readonly string[],
    top: BlockPlace,
  ): Promise<ReadonlySet<string> | undefined> {
    const { signal } = this.#followed;
    const answers = await this.#nodes.ask(async (node) => {
      const spent = (await node.has(top, signal)) ? await this.#spentAt(node, images) : undefined;
      this.#nodes.answered(node);
      return spent;
    });
    const told = answers.flatMap(({ answer }) => answer ?? []);
    if (told.length === 0) return undefined;
    return new Set(images.filter((image) => told.every((spent) => spent.has(image))));
  }

  /** Returns those key images that are spent in the chain of a node. */
  async #spentAt(node: ChainNode, images: readonly string[]): Promise<ReadonlySet<string>> {
    const { signal } = this.#followed;
    const spent = new Set<string>();
    for (let from = 0; from < images.length; from += MOST_ASKED) {
      const asked = images.slice(from, from + MOST_ASKED);
      const { spent_status: states } = await node.client.path(
        '/is_key_image_spent',
        { key_images: asked },
        node.call(signal),
      );
      if (states.length !== asked.length) {
        throw new RpcAnswerError('another number of key images than was asked for');
      }
      for (const [i, image] of asked.entries()) {
        if (states[i] === SPENT_IN_CHAIN) spent.add(image);
      }
    }
    return spent;
  }
}

function keyImagesOf({ transaction }: FoundTransaction): string[] {
  return transaction.tx.inputs.flatMap((input) =>
    input.kind === 'key' ? [toHex(input.keyImage)] : [],
  );
}
