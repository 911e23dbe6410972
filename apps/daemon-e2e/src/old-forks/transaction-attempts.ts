import { FEE, type TransactionPlan } from './transaction-builder.ts';
import type { Coin, Coins } from './coins.ts';

/** First heights of the forks, as close together as possible: later forks spend outputs of earlier ones. */
export const FORK_HEIGHTS: ReadonlyMap<number, number> = new Map([
  ...([1, 87, 93, 98, 105, 112, 119, 126, 133, 139, 145, 152, 166, 172, 177, 184] as const).map(
    (height, i): [number, number] => [i + 1, height],
  ),
]);
/** Number of blocks at the end. */
export const CHAIN_LENGTH = 191;

/** A transaction sent to both nodes, and whether it is valid under the fork. */
export interface Attempt {
  readonly name: string;
  /** The flags that our node sets, sorted, `Failed` if it sets none; undefined if the transaction is valid. */
  readonly refusedFor?: string;
  readonly plan: (spend: Spend) => TransactionPlan;
}

/** Chooses the outputs to spend at the time of the attempt. */
export interface Spend {
  /** Returns old outputs with an open amount, which many outputs share. */
  plain(count?: number, amount?: bigint): Coin[];
  /** RingCT outputs. */
  ringct(count?: number): Coin[];
  /** The youngest RingCT output. */
  young(): Coin[];
  /** An output with an amount too rare for a ring. */
  rare(): Coin[];
}

const COIN = 10n ** 12n;
const TEN = 10n * COIN;
const RARE = 6n * COIN;

/** Describes the transaction to try in the next block, at `height`. */
export function spendFrom(coins: Coins, height: number): Spend {
  const take = (count: number, wanted: (coin: Coin) => boolean, what: string): Coin[] => {
    const found = coins.ripe(height, wanted);
    if (found.length < count) throw new Error(`no ${count} ${what} to spend at height ${height}`);
    return found.slice(0, count);
  };
  const settled = (coin: Coin) => coin.height + 10 <= height;
  return {
    plain: (count = 1, amount = TEN) =>
      take(count, ({ field }) => field === amount, `outputs of ${amount}`),
    ringct: (count = 1) => {
      const wanted = (coin: Coin) => coin.field === 0n && coin.amount === 5n * COIN;
      const old = coins.ripe(height, (coin) => wanted(coin) && settled(coin));
      return old.length >= count ? old.slice(0, count) : take(count, wanted, 'RingCT outputs');
    },
    young: () => coins.ripe(height, ({ field }) => field === 0n).slice(-1),
    rare: () => take(1, ({ field }) => field === RARE, 'rare outputs'),
  };
}

type Change = Partial<TransactionPlan>;

const accepted = (name: string, plan: (spend: Spend) => TransactionPlan): Attempt => ({
  name,
  plan,
});
const refused = (
  name: string,
  refusedFor: string,
  plan: (spend: Spend) => TransactionPlan,
): Attempt => ({
  name,
  refusedFor,
  plan,
});
/** Version 1. */
const plainTx =
  (ringSize: number, change: Change = {}) =>
  (spend: Spend): TransactionPlan => ({
    type: 0,
    inputs: spend.plain(),
    ringSize,
    amounts: [4n * COIN, 5n * COIN],
    ...change,
  });
const sweep =
  (ringSize: number, change: Change = {}) =>
  (spend: Spend): TransactionPlan => ({
    type: 0,
    inputs: spend.rare(),
    ringSize,
    amounts: [3n * COIN],
    ...change,
  });
/** RingCT of one old output. */
const ofPlain =
  (type: TransactionPlan['type'], ringSize: number, change: Change = {}) =>
  (spend: Spend): TransactionPlan => ({ type, inputs: spend.plain(), ringSize, ...change });
/** RingCT of two RingCT outputs. */
const ofRingct =
  (type: TransactionPlan['type'], ringSize: number, change: Change = {}) =>
  (spend: Spend): TransactionPlan => ({ type, inputs: spend.ringct(2), ringSize, ...change });
const mixed =
  (type: TransactionPlan['type'], ringSize: number, change: Change = {}) =>
  (spend: Spend): TransactionPlan => ({
    type,
    inputs: [...spend.plain(), ...spend.ringct()],
    ringSize,
    ...change,
  });
const ofYoung =
  (type: TransactionPlan['type'], ringSize: number) =>
  (spend: Spend): TransactionPlan => ({ type, inputs: spend.young(), ringSize, minAge: 1 });

const TAGGED = { targets: ['tagged-key'] } as const;
const MIXED_TARGETS = { targets: ['key', 'tagged-key'] } as const;
const ODD = { amounts: [4n * COIN + 1n, 5n * COIN] };
const RARE_OUTPUT = { amounts: [RARE, 3n * COIN] };
const ONE_OUTPUT = { amounts: [TEN - FEE] };
const INPUT = 'invalid_input';
const OUTPUT = 'invalid_output';
const RING = 'invalid_input, low_mixin';

/** Attempts under each fork, in order. */
export const ATTEMPTS_BY_FORK: ReadonlyMap<number, readonly Attempt[]> = new Map([
  [
    1,
    [
      accepted('plain, ring of 1', plainTx(1)),
      accepted('plain, ring of 3', plainTx(3)),
      accepted('plain, an amount of many digits', plainTx(2, ODD)),
      accepted('plain, one output more than once in the ring', plainTx(3, { twice: true })),
      refused(
        'plain, without a fee',
        'fee_too_low',
        plainTx(3, { amounts: [5n * COIN, 5n * COIN] }),
      ),
      refused('type 2', 'Failed', ofPlain(2, 3)),
    ],
  ],
  [
    2,
    [
      accepted('plain, ring of 3', plainTx(3)),
      refused('plain, ring of 2', RING, plainTx(2)),
      refused('plain, an amount of many digits', OUTPUT, plainTx(3, ODD)),
    ],
  ],
  [
    3,
    [
      accepted('plain, ring of 4', plainTx(4, RARE_OUTPUT)),
      refused('type 1', 'Failed', ofPlain(1, 3)),
      refused('type 2', 'Failed', ofPlain(2, 3)),
    ],
  ],
  [
    4,
    [
      accepted('type 1', ofPlain(1, 3)),
      accepted('type 1, two inputs', (spend) => ofPlain(1, 3, { inputs: spend.plain(2) })(spend)),
      accepted('type 2', ofPlain(2, 3)),
      accepted('plain, ring of 3', plainTx(3)),
      refused('type 2, ring of 2', RING, ofPlain(2, 2)),
      refused('type 3', OUTPUT, ofPlain(3, 3)),
      refused('type 4', OUTPUT, ofPlain(4, 3)),
      refused('tagged outputs', OUTPUT, ofPlain(2, 3, TAGGED)),
    ],
  ],
  [
    5,
    [
      accepted('type 2', ofPlain(2, 4)),
      accepted('type 2, one output more than once in the ring', ofPlain(2, 3, { twice: true })),
      accepted('type 1 of RingCT outputs', ofRingct(1, 3)),
      accepted('plain, ring of 3', plainTx(3, RARE_OUTPUT)),
    ],
  ],
  [
    6,
    [
      accepted('type 2 of both kinds of outputs, unsorted', mixed(2, 5, { unsorted: true })),
      accepted('type 1', ofPlain(1, 6)),
      accepted('plain, of a rare output', sweep(1)),
      refused('plain', INPUT, plainTx(5)),
      refused('type 2, ring of 4', RING, ofPlain(2, 4)),
      refused('type 2, one output more than once', INPUT, ofPlain(2, 5, { twice: true })),
    ],
  ],
  [
    7,
    [
      accepted('type 1, two inputs', (spend) => ofPlain(1, 7, { inputs: spend.plain(2) })(spend)),
      accepted('type 2 of both kinds of outputs', mixed(2, 7)),
      accepted('type 2', ofPlain(2, 9)),
      refused('type 2, unsorted', INPUT, mixed(2, 7, { unsorted: true })),
      refused('type 2, ring of 6', RING, ofPlain(2, 6)),
      refused('type 3', OUTPUT, ofPlain(3, 7)),
    ],
  ],
  [
    8,
    [
      accepted('type 1', ofPlain(1, 11)),
      accepted('type 2 of RingCT outputs', ofRingct(2, 11)),
      accepted('type 3', ofPlain(3, 11)),
      refused('type 3, ring of 12', RING, ofPlain(3, 12)),
      refused('type 3, ring of 10', RING, ofPlain(3, 10)),
      refused('type 4', OUTPUT, ofPlain(4, 11)),
    ],
  ],
  [
    9,
    [
      accepted('type 3 of RingCT outputs', ofRingct(3, 11)),
      accepted('type 3 of a young output', ofYoung(3, 11)),
      refused('type 1', OUTPUT, ofPlain(1, 11)),
      refused('type 2', OUTPUT, ofPlain(2, 11)),
      refused('type 4', OUTPUT, ofPlain(4, 11)),
    ],
  ],
  [
    10,
    [
      accepted('type 3', ofPlain(3, 11)),
      accepted('type 4', ofPlain(4, 11)),
      refused('type 5', OUTPUT, ofPlain(5, 11)),
    ],
  ],
  [
    11,
    [
      accepted('type 4 of both kinds of outputs', mixed(4, 11)),
      accepted('type 4, one output', ofPlain(4, 11, ONE_OUTPUT)),
      accepted('type 4 of a young output', ofYoung(4, 11)),
      refused('type 3', OUTPUT, ofPlain(3, 11)),
    ],
  ],
  [
    12,
    [
      accepted('type 4 of RingCT outputs', ofRingct(4, 11)),
      refused('type 4, one output', 'invalid_input, too_few_outputs', ofPlain(4, 11, ONE_OUTPUT)),
      refused('type 4 of a young output', INPUT, ofYoung(4, 11)),
      refused('type 5', OUTPUT, ofPlain(5, 11)),
    ],
  ],
  [
    13,
    [
      accepted('type 4', ofPlain(4, 11)),
      accepted('type 5 of RingCT outputs', ofRingct(5, 11)),
      refused('type 6', OUTPUT, ofPlain(6, 11)),
    ],
  ],
  [
    14,
    [
      accepted('type 5', ofPlain(5, 11)),
      refused('type 4', OUTPUT, ofPlain(4, 11)),
      refused('type 5, ring of 16', RING, ofPlain(5, 16)),
      refused('type 5, tagged outputs', OUTPUT, ofPlain(5, 11, TAGGED)),
    ],
  ],
  [
    15,
    [
      accepted('type 5, ring of 11', ofPlain(5, 11)),
      accepted('type 6, ring of 11', ofPlain(6, 11)),
      accepted('type 6 of RingCT outputs, tagged', ofRingct(6, 16, TAGGED)),
      refused('type 6, ring of 12', RING, ofPlain(6, 12)),
      refused('type 6, both kinds of targets', OUTPUT, ofPlain(6, 16, MIXED_TARGETS)),
      refused('type 4', OUTPUT, ofPlain(4, 11)),
    ],
  ],
  [
    16,
    [
      accepted('type 6, tagged', ofPlain(6, 16, TAGGED)),
      accepted('type 6 of RingCT outputs, tagged', ofRingct(6, 16, TAGGED)),
      accepted('plain of a rare output, tagged', sweep(1, TAGGED)),
      refused('type 6, ring of 11', RING, ofPlain(6, 11, TAGGED)),
      refused('type 6, untagged', OUTPUT, ofPlain(6, 16)),
      refused('type 5', OUTPUT, ofPlain(5, 16, TAGGED)),
    ],
  ],
]);
