import { feeOf, verifyTransaction, type KnownRingMember } from '@monero-node/consensus';
import { parseTransaction, toHex } from '@monero-node/codec';
import { createBackend, createWasmBackend } from '@monero-node/crypto';
import { accountFromSecrets, Scanner, type SubaddressIndex } from '@monero-node/wallet-primitives';
import { devAccount, devAddress, type DevAccount } from '../accounts.ts';
import type { DevNode } from '../dev-node.ts';
import { startNode } from '../start-node.ts';
import type { DevPayment, PayOptions } from './payment-types.ts';

const XMR = 1_000_000_000_000n;
const ID = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const payee = devAccount(2);
const other = devAccount(3);
const backend = createBackend();

let net: DevNode;
let payer: DevAccount;
beforeAll(async () => {
  net = await startNode();
  payer = await net.fundedAccount(700n * XMR);
});
afterAll(() => net.stop());

const at = (account: number, index: number): SubaddressIndex => ({ account, index });
const sub = (account: DevAccount, place: SubaddressIndex) => devAddress(account, { at: place });

/** Returns what a transaction brings an account: amounts with their addresses, and the payment id. */
function received(account: DevAccount, { blob }: DevPayment) {
  const scanner = new Scanner({
    account: accountFromSecrets(account),
    backend,
    lookahead: { accounts: 3, addresses: 20 },
  });
  const [result] = scanner.scan([parseTransaction(blob)]);
  const outputs = (result?.outputs ?? []).map(({ amount, subaddress }) => {
    return { amount, account: subaddress.account, index: subaddress.index };
  });
  return {
    outputs: outputs.sort((a, b) => Number(a.amount - b.amount)),
    paymentId: toHex(result?.paymentId?.id ?? new Uint8Array(0)),
  };
}

/** Has our verifier judge a payment by itself, with another backend than the one that made it. */
async function verdictOf({ blob }: DevPayment) {
  const tx = parseTransaction(blob);
  const { store } = net.node.blockchain;
  const rings = tx.tx.inputs.map((input) => {
    let index = 0n;
    return input.kind !== 'key'
      ? []
      : input.keyOffsets.map((offset): KnownRingMember => {
          const output = store.output(0n, Number((index += offset)));
          const { key, commitment } = output ?? {};
          return key && commitment && { key, commitment };
        });
  });
  return verifyTransaction(tx, rings, { version: 16, backend: createWasmBackend() });
}

const manyPaid = Array.from({ length: 15 }, (_, i) => ({
  address: i % 2 === 0 ? sub(payee, at(1, i)) : other.address,
  amount: BigInt(i + 1) * 1000n,
}));

interface Shape extends Pick<PayOptions, 'to' | 'amount' | 'fee'> {
  readonly name: string;
  readonly outputs?: number;
  readonly inputs?: number;
  readonly extraKeys?: number;
  readonly paymentId?: string;
  /** What the payee finds. */
  readonly paid: readonly { amount: bigint; account: number; index: number }[];
}

const shapes: readonly Shape[] = [
  {
    name: 'a main address',
    to: payee.address,
    amount: XMR,
    paid: [{ amount: XMR, account: 0, index: 0 }],
    paymentId: '00'.repeat(8),
  },
  {
    name: 'a subaddress',
    to: sub(payee, at(0, 5)),
    amount: XMR,
    paid: [{ amount: XMR, account: 0, index: 5 }],
    paymentId: '00'.repeat(8),
  },
  {
    name: 'a subaddress of another account',
    to: sub(payee, at(2, 3)),
    amount: 1n,
    paid: [{ amount: 1n, account: 2, index: 3 }],
    paymentId: '00'.repeat(8),
  },
  {
    name: 'an integrated address',
    to: devAddress(payee, { paymentId: ID }),
    amount: XMR,
    paid: [{ amount: XMR, account: 0, index: 0 }],
    paymentId: toHex(ID),
  },
  {
    name: 'two main addresses',
    to: [
      { address: payee.address, amount: 5n },
      { address: other.address, amount: 6n },
    ],
    outputs: 3,
    paid: [{ amount: 5n, account: 0, index: 0 }],
  },
  {
    name: 'a main address and a subaddress',
    to: [
      { address: sub(payee, at(0, 1)), amount: 5n },
      { address: other.address, amount: 6n },
    ],
    outputs: 3,
    extraKeys: 3,
    paid: [{ amount: 5n, account: 0, index: 1 }],
  },
  {
    name: 'two subaddresses',
    to: [
      { address: sub(payee, at(0, 1)), amount: 5n },
      { address: sub(payee, at(1, 2)), amount: 6n },
    ],
    outputs: 3,
    extraKeys: 3,
    paid: [
      { amount: 5n, account: 0, index: 1 },
      { amount: 6n, account: 1, index: 2 },
    ],
  },
  {
    name: 'one subaddress twice',
    to: [
      { address: sub(payee, at(0, 1)), amount: 5n },
      { address: sub(payee, at(0, 1)), amount: 6n },
    ],
    outputs: 3,
    paid: [
      { amount: 5n, account: 0, index: 1 },
      { amount: 6n, account: 0, index: 1 },
    ],
  },
  {
    name: 'fifteen recipients of both kinds',
    to: manyPaid,
    outputs: 16,
    extraKeys: 16,
    paid: manyPaid
      .map(({ amount }, index) => ({ amount, account: 1, index }))
      .filter(({ index }) => index % 2 === 0),
  },
  {
    name: 'with two coins',
    to: payee.address,
    amount: 40n * XMR,
    inputs: 2,
    paid: [{ amount: 40n * XMR, account: 0, index: 0 }],
  },
  {
    name: 'with five coins to a subaddress',
    to: sub(payee, at(0, 9)),
    amount: 141n * XMR,
    inputs: 5,
    paid: [{ amount: 141n * XMR, account: 0, index: 9 }],
  },
  {
    name: 'with a fee of its own',
    to: payee.address,
    amount: XMR,
    fee: XMR / 10n,
    paid: [{ amount: XMR, account: 0, index: 0 }],
  },
];

test.each(shapes)('pays $name', async ({ to, paid, ...shape }) => {
  const { outputs = 2, inputs = 1, extraKeys = 0 } = shape;
  const { amount, fee } = shape;
  const payment = await net.pay({
    from: payer,
    to,
    ...(amount !== undefined && { amount }),
    ...(fee !== undefined && { fee }),
  });
  expect(net.node.pool.transaction(payment.id)).toBeDefined();
  const parsed = parseTransaction(payment.blob);
  expect(parsed.tx.outputs).toHaveLength(outputs);
  expect(parsed.tx.inputs).toHaveLength(inputs);
  expect(payment.transactionSecrets).toHaveLength(1 + extraKeys);
  expect(feeOf(parsed)).toBe(payment.fee);
  if (fee !== undefined) expect(payment.fee).toBe(fee);
  const seen = received(payee, payment);
  expect(seen.outputs).toEqual(paid);
  if (shape.paymentId !== undefined) expect(seen.paymentId).toBe(shape.paymentId);
  const { outputs: returned } = received(payer, payment);
  expect(returned).toEqual([{ amount: payment.change, account: 0, index: 0 }]);
  expect(await verdictOf(payment)).toEqual({ ok: true });
});
