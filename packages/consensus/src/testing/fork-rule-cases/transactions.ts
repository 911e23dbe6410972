import type { RctType, Transaction } from '@monero-node/codec';
import { checkTransaction } from '../../transaction/transaction.ts';
import { keyInput, output, parsed, plain, ringCt, ringSigned, tagged } from '../transactions.ts';
import { always, before, from, PASSES, probe } from './types.ts';
import type { ForkRuleCase, Outcome, ForkPlace } from './types.ts';

const MAX = (1n << 64n) - 1n;
const check =
  (make: (place: ForkPlace) => Transaction, size?: number, txId?: string) => (p: ForkPlace) =>
    checkTransaction(p.rules, parsed(make(p), size), txId);

/** Returns the kind of target that every transaction of the fork may have. */
const target = ({ version }: ForkPlace) => (version >= 16 ? tagged() : plain());
/** Returns a RingCT type that the fork allows; before RingCT the oldest. */
export const typeAt = (version: number): RctType => {
  const types: [number, RctType][] = [
    [16, 6],
    [13, 5],
    [11, 4],
    [9, 3],
  ];
  return types.find(([first]) => version >= first)?.[1] ?? 2;
};

const v1 = (place: ForkPlace, input: bigint, ...outputs: bigint[]) =>
  ringSigned(
    [keyInput(1, 3, input)],
    outputs.map((each) => output(target(place), each)),
  );
const v2 = (place: ForkPlace, parts: Parameters<typeof ringCt>[0] = {}) =>
  ringCt({
    type: typeAt(place.version),
    outputs: [output(target(place)), output(target(place))],
    ...parts,
  });
/** Like `outcomes`, except that before RingCT the error is that of the version. */
const sinceRingct = (outcomes: Record<number, Outcome>) => ({ ...outcomes, 1: 'tx-version' });
const ringct = (code: Outcome = 'passes') => ({ 1: 'tx-version', 4: code });

const window = (type: RctType, first: number, last: number) => {
  const outcomes: Record<number, Outcome> = { 1: 'tx-version', 4: 'rct-type', [first]: 'passes' };
  if (last < 16) outcomes[last + 1] = 'rct-type';
  return probe(
    `type ${type}`,
    outcomes,
    check((p) => v2(p, { type })),
  );
};

export const TRANSACTION_CASES: readonly ForkRuleCase[] = [
  {
    topic: 'Transactions',
    rule: 'At most 1,000,000 bytes',
    source: 'ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp',
    probes: [
      probe(
        '1,000,000 bytes',
        from(8, 'tx-too-big'),
        check((p) => v1(p, 100n, 50n), 1_000_000),
      ),
      probe(
        '1,000,001 bytes',
        always('tx-too-big'),
        check((p) => v1(p, 100n, 50n), 1_000_001),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Weight of at most 149,400',
    source: 'get_transaction_weight_limit in src/cryptonote_core/tx_verification_utils.cpp',
    probes: [
      probe(
        '149,400',
        PASSES,
        check((p) => v1(p, 100n, 50n), 149_400),
      ),
      probe(
        '149,401',
        from(8, 'tx-too-big'),
        check((p) => v1(p, 100n, 50n), 149_401),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Version',
    source: 'ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp',
    probes: [
      probe(
        'version 1',
        PASSES,
        check((p) => v1(p, 100n, 50n)),
      ),
      probe(
        'version 2',
        before(4, 'tx-version'),
        check((p) => v2(p)),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'There is at least one input; all inputs spend keys, with different key images',
    source: 'check_tx_semantic in src/cryptonote_core/cryptonote_core.cpp',
    probes: [
      probe(
        'none',
        always('no-inputs'),
        check(() => ringSigned([], [])),
      ),
      probe(
        'an input of type gen',
        always('input-type'),
        check((p) => ({ ...v1(p, 100n, 50n), inputs: [{ kind: 'gen', height: 5 }] })),
      ),
      probe(
        'a key image twice',
        always('duplicate-key-image'),
        check(() => ringSigned([keyInput(1, 3, 50n), keyInput(1, 3, 50n)], [])),
      ),
      probe(
        'two',
        PASSES,
        check(() => ringSigned([keyInput(2, 3, 50n), keyInput(1, 3, 50n)], [])),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'No key offset after the first is 0',
    source: 'check_tx_semantic in src/cryptonote_core/cryptonote_core.cpp',
    probes: [
      probe(
        'offsets 0, 1, 1',
        PASSES,
        check((p) => ({
          ...v1(p, 100n, 50n),
          inputs: [{ ...keyInput(1, 3, 100n), keyOffsets: [0n, 1n, 1n] }],
        })),
      ),
      probe(
        'offsets 5, 1, 0',
        from(6, 'duplicate-ring-member'),
        check((p) => ({
          ...v1(p, 100n, 50n),
          inputs: [{ ...keyInput(1, 3, 100n), keyOffsets: [5n, 1n, 0n] }],
        })),
      ),
      probe(
        'offsets that wrap back to an earlier member',
        PASSES,
        check((p) => ({
          ...v1(p, 100n, 50n),
          inputs: [{ ...keyInput(1, 3, 100n), keyOffsets: [5n, 1n, MAX] }],
        })),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Version 1: amounts are above 0, leave a fee and do not overflow; there may be no outputs',
    source: 'check_tx_semantic in src/cryptonote_core/cryptonote_core.cpp',
    probes: [
      probe(
        '100 to 90',
        PASSES,
        check((p) => v1(p, 100n, 90n)),
      ),
      probe(
        '100 to 100',
        always('overspend'),
        check((p) => v1(p, 100n, 100n)),
      ),
      probe(
        '100 to nothing',
        PASSES,
        check((p) => v1(p, 100n)),
      ),
      probe(
        'an output of 0',
        always('output-amount'),
        check((p) => v1(p, 100n, 0n)),
      ),
      probe(
        'outputs of 2^64',
        always('amount-overflow'),
        check((p) => v1(p, MAX, MAX, 1n)),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Version 1: output amounts are one digit followed by zeros',
    source: 'check_tx_outputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        '90',
        PASSES,
        check((p) => v1(p, 100n, 90n)),
      ),
      probe(
        '55',
        from(2, 'output-decomposition'),
        check((p) => v1(p, 100n, 55n)),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Version 2: output amounts are 0, and there is one commitment per output',
    source: 'check_tx_outputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'an amount of 1',
        ringct('output-amount'),
        check((p) => v2(p, { outputs: [output(target(p)), output(target(p), 1n)] })),
      ),
      probe(
        'one commitment missing',
        ringct('out-pk-count'),
        check((p) => {
          const tx = v2(p);
          tx.rct?.outPk.pop();
          return tx;
        }),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Output targets: keys or tagged keys, but not both in one transaction',
    source: 'check_output_types in src/cryptonote_basic/cryptonote_format_utils.cpp',
    probes: [
      probe(
        'keys',
        from(16, 'output-type'),
        check(() => ringSigned([keyInput(1, 3, 100n)], [output(plain(), 50n)])),
      ),
      probe(
        'tagged keys',
        before(15, 'output-type'),
        check(() => ringSigned([keyInput(1, 3, 100n)], [output(tagged(), 50n)])),
      ),
      probe(
        'both',
        always('output-type'),
        check(() =>
          ringSigned([keyInput(1, 3, 100n)], [output(plain(), 50n), output(tagged(), 40n)]),
        ),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'RingCT types',
    source: 'check_tx_outputs in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'type 0',
        ringct('rct-type'),
        check((p) => v2(p, { type: 0, outputs: [] })),
      ),
      window(1, 4, 8),
      window(2, 4, 8),
      window(3, 8, 10),
      window(4, 10, 13),
      window(5, 13, 15),
      window(6, 15, 16),
      probe(
        'type 4 of a straggler of fork 13',
        { 1: 'tx-version', 4: 'rct-type', 10: 'passes', 16: 'rct-type' },
        check(
          (p) => v2(p, { type: 4 }),
          2000,
          '6f2f117cde6fbcf8d4a6ef8974fcac744726574ac38cf25d3322c996b21edd4c',
        ),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Range proofs: as many as the type requires, padded at most to the next power of two',
    source: 'verRctSemanticsSimple in src/ringct/rctSigs.cpp',
    probes: [
      probe(
        'right for two outputs',
        ringct(),
        check((p) => v2(p)),
      ),
      probe(
        'none',
        ringct('proof-layout'),
        check((p) => {
          const tx = v2(p);
          tx.prunable?.rangeSigs.pop();
          tx.prunable?.bulletproofs.pop();
          tx.prunable?.bulletproofsPlus.pop();
          return tx;
        }),
      ),
      probe(
        'padded to four for two outputs',
        sinceRingct({ 4: 'passes', 9: 'proof-layout' }),
        check((p) => v2(p, { rounds: 8 })),
      ),
    ],
  },
];
