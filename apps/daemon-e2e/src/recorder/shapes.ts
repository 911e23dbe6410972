import { stringOf, type JsonObject } from '../harness/json.ts';
import type { Random } from './random.ts';
import { spendableKeyImages, type Spender } from './wallets.ts';

const PICONERO = 1_000_000_000_000;

/** A wallet call that creates transactions. */
export interface Spending {
  method: 'transfer' | 'transfer_split' | 'sweep_single' | 'sweep_all';
  params: JsonObject;
}

/** A kind of payment: returns the call with which `from` pays `to`; undefined when that is not possible now. */
export interface Shape {
  name: string;
  /** Relative frequency with which it is chosen. */
  share: number;
  make(context: ShapeContext): Promise<Spending | undefined> | Spending | undefined;
}

export interface ShapeContext {
  from: Spender;
  to: Spender;
  random: Random;
  height: number;
}

const coins = (random: Random, low: number, high: number): number =>
  Math.floor(random.uniform(low, high) * PICONERO);

function transfer(
  destinations: readonly (readonly [address: string, amount: number])[],
  more: JsonObject = {},
): Spending {
  return {
    method: 'transfer',
    params: {
      destinations: destinations.map(([address, amount]) => ({ address, amount })),
      account_index: 0,
      priority: 1,
      ...more,
    },
  };
}

const anyAddress = (random: Random, spender: Spender): string =>
  random.choice(random.choice(spender.accounts));

export const SHAPES: readonly Shape[] = [
  {
    name: 'one destination',
    share: 8,
    make: ({ to, random }) =>
      transfer([[to.main, coins(random, 0.01, 3)]], {
        priority: random.choice([1, 1, 1, 2, 3, 4]),
      }),
  },
  {
    name: 'more than one block reward',
    share: 3,
    make: ({ to, random }) => transfer([[to.main, coins(random, 36, 60)]]),
  },
  {
    name: 'round amount, default priority',
    share: 2,
    make: ({ to, random }) =>
      transfer([[to.main, random.choice([1, 2, 5]) * PICONERO]], { priority: 0 }),
  },
  {
    name: 'fifteen destinations',
    share: 2,
    make: ({ from, to, random }) =>
      transfer(
        Array.from({ length: 15 }, (_, i) => [
          random.choice((i % 3 === 0 ? from : to).accounts[random.integer(1, 2)] ?? [to.main]),
          coins(random, 0.001, 0.2),
        ]),
      ),
  },
  {
    name: 'two to nine destinations',
    share: 3,
    make: ({ from, to, random }) =>
      transfer(
        Array.from({ length: random.integer(2, 9) }, () => [
          anyAddress(random, random.choice([from, to])),
          coins(random, 0.01, 1),
        ]),
      ),
  },
  {
    name: 'to a subaddress',
    share: 3,
    make: ({ to, random }) =>
      transfer([[to.accounts[1]?.[random.integer(1, 4)] ?? to.main, coins(random, 0.1, 2)]]),
  },
  {
    name: 'to an integrated address',
    share: 3,
    make: async ({ to, random }) => {
      const id = Array.from({ length: 16 }, () => random.integer(0, 15).toString(16)).join('');
      const made = await to.wallet.call('make_integrated_address', { payment_id: id });
      return transfer([[stringOf(made, 'integrated_address'), coins(random, 0.05, 1)]]);
    },
  },
  {
    name: 'locked until a height',
    share: 1,
    make: ({ to, random, height }) =>
      transfer([[to.main, coins(random, 0.5, 2)]], {
        unlock_time: height + random.integer(20, 60),
      }),
  },
  {
    name: 'locked until a time',
    share: 1,
    make: ({ to, random }) =>
      transfer([[to.main, coins(random, 0.5, 2)]], {
        unlock_time: Math.floor(Date.now() / 1000) + 7200,
      }),
  },
  {
    name: 'from subaddresses',
    share: 4,
    make: ({ to, random }) =>
      transfer([[to.main, coins(random, 0.01, 0.1)]], { account_index: random.choice([1, 2]) }),
  },
  {
    name: 'to itself',
    share: 1,
    make: ({ from, random }) => transfer([[from.main, coins(random, 1, 5)]]),
  },
  {
    name: 'split over several transactions',
    share: 1,
    make: ({ to, random }) => ({
      method: 'transfer_split',
      params: {
        destinations: [{ address: to.main, amount: coins(random, 40, 110) }],
        priority: 1,
      },
    }),
  },
  {
    name: 'sweep of one output',
    share: 2,
    make: async ({ from, to, random }) => {
      const images = await spendableKeyImages(from);
      if (images.length === 0) return undefined;
      return {
        method: 'sweep_single',
        params: {
          address: to.accounts[1]?.[0] ?? to.main,
          key_image: random.choice(images),
          outputs: random.choice([1, 1, 2, 4]),
          priority: 1,
        },
      };
    },
  },
];

/** Spends every output of an account, with many inputs per transaction. */
export function sweepOf(account: number, to: Spender): Spending {
  return {
    method: 'sweep_all',
    params: {
      address: to.main,
      account_index: account,
      subaddr_indices_all: true,
      priority: 1,
    },
  };
}
