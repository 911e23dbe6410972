import { Yielder } from '@monero-node/base';
import { blockReward, rulesFor } from '@monero-node/consensus';
import { fillBacklog, fillBlock } from './block-selection.ts';

interface Candidate {
  name: string;
  weight: number;
  fee: bigint;
  rate: number;
  keyImages: Uint8Array[];
}

let serial = 0;
function keyImage(number: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}
const candidate = (name: string, weight: number, fee: bigint, spends?: number): Candidate => ({
  name,
  weight,
  fee,
  rate: Number(fee) / weight,
  keyImages: [keyImage(spends ?? ++serial + 100)],
});
const names = (candidates: readonly Candidate[]) => candidates.map(({ name }) => name);
const frame = { rules: rulesFor(16), medianWeight: 300_000, generatedCoins: 0n };
const always = () => true;

describe('filling a block', () => {
  test('returns the reward of an empty block for an empty pool', async () => {
    const fill = await fillBlock([], frame, always);
    expect(fill).toEqual({
      transactions: [],
      weight: 0,
      fees: 0n,
      expectedReward: 35_184_372_088_831n,
    });
  });

  test('selects a transaction beyond the median only if it pays for the penalty it causes', async () => {
    const base = blockReward({ ...frame, blockWeight: 0 });
    const full = candidate('full', 299_000, 1n);
    const next = candidate('next', 31_000, 0n);
    // 330,000 is a tenth above the median: a hundredth of the reward is lost.
    const loss = base - blockReward({ ...frame, blockWeight: 330_000 });
    expect(loss).toBe(base / 100n + 1n);
    for (const [fee, chosen] of [
      [loss, ['full', 'next']],
      [loss - 1n, ['full']],
    ] as const) {
      const fill = await fillBlock([full, { ...next, fee }], frame, always);
      expect(names(fill.transactions)).toEqual(chosen);
      expect(fill.expectedReward).toBe(base + 1n);
    }
  });

  test('skips a transaction that does not pay and considers those after it', async () => {
    const fill = await fillBlock(
      [
        candidate('a', 299_000, 10n),
        candidate('too much', 31_000, 5n),
        candidate('fits', 1_000, 5n),
      ],
      frame,
      always,
    );
    expect(names(fill.transactions)).toEqual(['a', 'fits']);
    expect(fill).toMatchObject({ weight: 300_000, fees: 15n });
  });

  test('stops at twice the median less 600, whatever the fees', async () => {
    const rich = 1_000_000_000_000_000n;
    const fill = (second: number) =>
      fillBlock([candidate('a', 599_000, rich), candidate('b', second, rich)], frame, always);
    expect(names((await fill(400)).transactions)).toEqual(['a', 'b']);
    expect(names((await fill(401)).transactions)).toEqual(['a']);
  });

  test('is limited only by the reward on a small block below the tip', async () => {
    const small = { ...frame, medianWeight: 80 };
    const all = [candidate('a', 2_000, 1n), candidate('b', 298_000, 1n), candidate('c', 500, 1n)];
    expect(names((await fillBlock(all, small, always)).transactions)).toEqual(['a', 'b']);
    expect(
      names((await fillBlock(all, { ...frame, medianWeight: 301 }, always)).transactions),
    ).toEqual([]);
  });

  test('selects one spend per output, and skips transactions that are not ready', async () => {
    const fill = await fillBlock(
      [
        candidate('unready', 1_000, 90n, 1),
        candidate('first', 1_000, 80n, 1),
        candidate('again', 1_000, 70n, 1),
        candidate('other', 1_000, 60n, 2),
      ],
      frame,
      async ({ name }) => name !== 'unready',
    );
    expect(names(fill.transactions)).toEqual(['first', 'other']);
  });

  test('fills blocks of old forks to 1.3 medians', async () => {
    const old = { rules: rulesFor(4), medianWeight: 60_000, generatedCoins: 0n };
    const fill = await fillBlock(
      [
        candidate('a', 60_000, 9n),
        candidate('b', 1_000, 8n),
        candidate('c', 100, 7n),
        candidate('d', 100, 7n),
      ],
      old,
      always,
    );
    expect(names(fill.transactions)).toEqual(['a', 'b']);
    const big = await fillBlock([candidate('a', 77_401, 9n)], old, always);
    expect(big.transactions).toEqual([]);
    expect((await fillBlock([candidate('a', 77_400, 9n)], old, always)).transactions).toHaveLength(
      1,
    );
  });
});

describe('a long list of candidates', () => {
  /** The blocks that monerod's loop fills, which looks at every candidate. */
  const fillSlowly = (candidates: readonly Candidate[]) => {
    const base = (weight: number) => blockReward({ ...frame, blockWeight: weight });
    const chosen: Candidate[] = [];
    let [weight, fees, best] = [0, 0n, base(0)];
    for (const each of candidates) {
      if (weight + each.weight > 599_400) continue;
      const next = base(weight + each.weight) + fees + each.fee;
      if (next < best) continue;
      chosen.push(each);
      [weight, fees, best] = [weight + each.weight, fees + each.fee, next];
    }
    return names(chosen);
  };

  test.each([1, 2, 3, 4, 5, 6])('is cut short without another result (%i)', async (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    // Rates about the penalty of a block that is a little above the median: some pay and some do not.
    const all = Array.from({ length: 3000 }, (_, i) => {
      const weight = random(2) === 0 ? 1 + random(40) : 1000 + random(9000);
      return candidate(`${i}`, weight, BigInt(weight) * BigInt(random(40_000_000) * seed));
    }).sort((a, b) => b.rate - a.rate);
    const fill = await fillBlock(all, frame, always);
    expect(fill.weight).toBeGreaterThan(frame.medianWeight);
    expect(names(fill.transactions)).toEqual(fillSlowly(all));
  });

  test('is not read to its end once nothing further can pay', async () => {
    let seen = 0;
    const endless = function* () {
      for (; seen < 50_000; seen++)
        yield candidate(`${seen}`, 2_000, 3_000_000_000n - BigInt(seen));
    };
    const fill = await fillBlock(endless(), frame, always);
    expect(fill.weight).toBeGreaterThanOrEqual(frame.medianWeight);
    expect(seen).toBeLessThan(300);
  });
});

describe('turns of the event loop', () => {
  /** A yielder that is always due, and counts its turns. */
  const eager = () => {
    const counted = { turns: 0 };
    const nextSlice = async () => {
      counted.turns++;
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { counted, yielder: new Yielder({ sliceMs: 0 }, { nextSlice }) };
  };
  const all = Array.from({ length: 20 }, (_, i) => candidate(`${i}`, 2000, BigInt(10_000 - i)));

  test('are taken after each candidate, and change nothing', async () => {
    const { counted, yielder } = eager();
    const fill = await fillBlock(all, frame, always, yielder);
    expect(names(fill.transactions)).toEqual(names(all));
    expect(counted.turns).toBe(20);
    const lists = { byId: () => all, byFee: () => all };
    expect(names(await fillBacklog(lists, 300_000, always, yielder))).toEqual(names(all));
    expect(counted.turns).toBe(40);
  });

  test('do not leave a failed check alone', async () => {
    const failing = () => Promise.reject(new Error('the disk failed'));
    await expect(fillBlock(all, frame, failing, eager().yielder)).rejects.toThrow(
      'the disk failed',
    );
  });
});

describe('the backlog for miners', () => {
  const lists = (byId: readonly Candidate[]) => ({
    byId: () => byId,
    byFee: () => [...byId].sort((a, b) => b.rate - a.rate),
  });

  test('contains everything in the order of ids if it fits', async () => {
    const all = [candidate('a', 100_000, 1n), candidate('b', 237_500, 9n)];
    expect(names(await fillBacklog(lists(all), 300_000, always))).toEqual(['a', 'b']);
  });

  test('otherwise contains the highest fee rates, up to the first that exceeds the limit', async () => {
    const all = [
      candidate('low', 100_000, 1n),
      candidate('best', 100_000, 900n),
      candidate('same', 100_000, 500n),
      candidate('as this', 200_000, 1_000n),
      candidate('unready', 1, 1_000n),
    ];
    const backlog = await fillBacklog(lists(all), 300_000, ({ name }) => name !== 'unready');
    expect(names(backlog)).toEqual(['best', 'same', 'as this']);
  });

  test('looks at no more of a large pool than it takes', async () => {
    let seen = 0;
    const byFee = function* () {
      for (let i = 0; i < 50_000; i++) {
        seen++;
        yield candidate(`${i}`, 2_000, BigInt(50_000 - i));
      }
    };
    const byId = (): Candidate[] => {
      throw new Error('the order of ids is not needed');
    };
    const backlog = await fillBacklog({ byId, byFee }, 300_000, always);
    expect(backlog).toHaveLength(169);
    expect(seen).toBe(2 * 169);
  });
});
