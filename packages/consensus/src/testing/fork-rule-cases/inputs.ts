import type { Transaction } from '@monero-node/codec';
import { checkInputs } from '../../inputs/inputs.ts';
import type { ChainLookup } from '../../inputs/inputs.ts';
import {
  chain,
  keyInput,
  output,
  parsed,
  plain,
  readMember,
  ringCt,
  ringMember,
  ringSigned,
  type RingMember,
} from '../transactions.ts';
import { typeAt } from './transactions.ts';
import { always, from, PASSES, probe } from './types.ts';
import type { ForkRuleCase, Outcome, ForkPlace } from './types.ts';

const CLOCK = 1_700_000_000;
const MANY = 10_000;

/** @param counts number of outputs of each amount; MANY for amounts that are not listed */
const check =
  (make: (place: ForkPlace) => Transaction, counts: Record<number, number> = {}, change = {}) =>
  ({ rules, height, version }: ForkPlace) => {
    const lookup: ChainLookup = {
      ...chain({ height, version, clock: CLOCK }),
      readRingMember: (slot) => readMember(slot, ringMember({ height: 0 })),
      outputCount: (amount) => counts[Number(amount)] ?? MANY,
      ...change,
    };
    return checkInputs(rules, parsed(make({ rules, height, version } as ForkPlace)), lookup);
  };
const reads = (found: RingMember | undefined): Pick<ChainLookup, 'readRingMember'> => ({
  readRingMember: (slot) => readMember(slot, found),
});
const member = (change: (height: number) => Partial<RingMember>) => (place: ForkPlace) =>
  check(spendsRare, { 5: 1 }, reads(ringMember({ height: 0, ...change(place.height) })))(place);

/** Returns a version 1 transaction with inputs of these amounts and rings. */
const plainOf = (...inputs: [amount: number, ring: number][]) =>
  ringSigned(
    inputs.map(([amount, ring], i) => keyInput(99 - i, ring, BigInt(amount))),
    [output(plain(), 1n)],
  );
/** Valid under every fork: one input of an amount that only one output has. */
const spendsRare = () => plainOf([5, 1]);

/** Returns a transaction of the fork with this ring: version 1 before RingCT. */
const ofTheTime =
  (ring: number) =>
  ({ version }: ForkPlace) =>
    version < 4
      ? plainOf([7, ring])
      : ringCt({ type: typeAt(version), inputs: [keyInput(9, ring)] });

const ring = (size: number, outcomes: Record<number, Outcome>) =>
  probe(`ring of ${size}`, outcomes, check(ofTheTime(size)));
const rare = (count: number, outcomes: Record<number, Outcome>) =>
  probe(`ring of 1, ${count} outputs of the amount`, outcomes, check(spendsRare, { 5: count }));
const SIZE = 'ring-size';
const SINCE_RINGCT: Record<number, Outcome> = { 1: 'tx-version', 4: 'passes' };

export const INPUT_CASES: readonly ForkRuleCase[] = [
  {
    topic: 'Inputs',
    rule: 'Ring size of mixable inputs',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      ring(1, from(2, SIZE)),
      ring(2, from(2, SIZE)),
      ring(3, from(6, SIZE)),
      ring(4, from(6, SIZE)),
      ring(5, from(7, SIZE)),
      ring(6, from(7, SIZE)),
      ring(7, from(8, SIZE)),
      ring(10, from(8, SIZE)),
      ring(11, from(16, SIZE)),
      ring(12, from(8, SIZE)),
      ring(15, from(8, SIZE)),
      ring(16, { 1: 'passes', 8: SIZE, 15: 'passes' }),
      ring(17, from(8, SIZE)),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'Smaller rings are allowed when the chain has no more outputs of the amount than a ring needs decoys',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      rare(2, PASSES),
      rare(3, { 1: 'passes', 2: SIZE, 6: 'passes' }),
      rare(4, { 1: 'passes', 2: SIZE, 6: 'passes' }),
      rare(5, { 1: 'passes', 2: SIZE, 7: 'passes' }),
      rare(6, { 1: 'passes', 2: SIZE, 7: 'passes' }),
      rare(7, { 1: 'passes', 2: SIZE, 8: 'passes' }),
      rare(10, { 1: 'passes', 2: SIZE, 8: 'passes' }),
      rare(11, { 1: 'passes', 2: SIZE, 15: 'passes' }),
      rare(15, { 1: 'passes', 2: SIZE, 15: 'passes' }),
      rare(16, from(2, SIZE)),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'At most one mixable input may accompany unmixable inputs with small rings',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'one',
        PASSES,
        check(() => plainOf([5, 1], [7, 1]), { 5: 1 }),
      ),
      probe(
        'two',
        from(2, 'mixable-inputs'),
        check(() => plainOf([5, 1], [7, 1], [8, 1]), { 5: 1 }),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'All rings have the same size; before, a prescribed size applies only to the smallest ring',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'rings of 11 and 12',
        from(12, SIZE),
        check(() => plainOf([5, 11], [6, 12]), { 5: 1, 6: 1 }),
      ),
      probe(
        'rings of 1 and 1',
        PASSES,
        check(() => plainOf([5, 1], [6, 1]), { 5: 1, 6: 1 }),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'Version 1 is only for transactions with an unmixable input',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'a mixable input',
        from(6, 'not-ringct'),
        check(({ version }) => plainOf([7, version >= 15 ? 16 : 11])),
      ),
      probe('an unmixable input', PASSES, check(spendsRare, { 5: 1 })),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'Version 2 has at least two outputs',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [1, 2].map((count) =>
      probe(
        `${count}`,
        count === 1 ? { ...SINCE_RINGCT, 12: 'too-few-outputs' } : SINCE_RINGCT,
        check(({ version }) =>
          ringCt({
            type: typeAt(version),
            inputs: [keyInput(9, version >= 15 ? 16 : 11)],
            outputs: Array.from({ length: count }, () => output()),
          }),
        ),
      ),
    ),
  },
  {
    topic: 'Inputs',
    rule: 'Key images are in strictly descending order, compared as unsigned bytes',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        '200, 100',
        PASSES,
        check(() => sorted(200, 100), { 5: 1 }),
      ),
      probe(
        '100, 200',
        from(7, 'unsorted-inputs'),
        check(() => sorted(100, 200), { 5: 1 }),
      ),
      probe(
        '100, 100',
        from(7, 'unsorted-inputs'),
        check(() => sorted(100, 100), { 5: 1 }),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'The last ring member of each input is at least 10 blocks old',
    source: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        '10 blocks',
        PASSES,
        member((height) => ({ height: height - 10 })),
      ),
      probe(
        '9 blocks',
        from(12, 'ring-member-too-young'),
        member((height) => ({ height: height - 9 })),
      ),
      probe(
        '1 block',
        from(12, 'ring-member-too-young'),
        member((height) => ({ height: height - 1 })),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'An output locked by height is spendable from that block on',
    source: 'is_tx_spendtime_unlocked in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'this block',
        PASSES,
        member((height) => ({ unlockTime: BigInt(height) })),
      ),
      probe(
        'the next block',
        always('ring-member-locked'),
        member((height) => ({ unlockTime: BigInt(height + 1) })),
      ),
      probe(
        '499,999,999',
        always('ring-member-locked'),
        member(() => ({ unlockTime: 499_999_999n })),
      ),
      probe(
        '500,000,000, long past',
        PASSES,
        member(() => ({ unlockTime: 500_000_000n })),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'An output locked by time: seconds by which the lock may be ahead of the clock',
    source: 'is_tx_spendtime_unlocked in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        '60',
        PASSES,
        member(() => ({ unlockTime: BigInt(CLOCK + 60) })),
      ),
      probe(
        '61',
        { 1: 'ring-member-locked', 2: 'passes' },
        member(() => ({ unlockTime: BigInt(CLOCK + 61) })),
      ),
      probe(
        '120',
        { 1: 'ring-member-locked', 2: 'passes' },
        member(() => ({ unlockTime: BigInt(CLOCK + 120) })),
      ),
      probe(
        '121',
        always('ring-member-locked'),
        member(() => ({ unlockTime: BigInt(CLOCK + 121) })),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'The key image is unspent, and the ring consists of outputs that exist',
    source: 'check_tx_input in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'spent before',
        always('double-spend'),
        check(spendsRare, { 5: 1 }, { isSpent: () => true }),
      ),
      probe(
        'a member that does not exist',
        always('ring-member-missing'),
        check(spendsRare, { 5: 1 }, reads(undefined)),
      ),
      probe('an empty ring', { 1: 'empty-ring', 8: SIZE }, check(ofTheTime(0))),
    ],
  },
];

function sorted(...keyImages: number[]): Transaction {
  return ringSigned(
    keyImages.map((image) => keyInput(image, 1, 5n)),
    [output(plain(), 1n)],
  );
}
