import { parseTransaction } from '@monero-node/codec';
import { devAccount, devAddress, type DevAccount } from '../accounts.ts';
import type { DevNode } from '../dev-node.ts';
import { startNode } from '../start-node.ts';
import { PaymentError, type PayOptions } from './payment-types.ts';

const XMR = 1_000_000_000_000n;
const payee = devAccount(2);

let net: DevNode;
let payer: DevAccount;
beforeAll(async () => {
  net = await startNode();
  payer = await net.fundedAccount(200n * XMR);
});
afterAll(() => net.stop());

const simple = (): PayOptions => ({ from: payer, to: payee.address, amount: XMR });

/** Returns why a payment failed. */
async function failure(options: PayOptions): Promise<PaymentError> {
  const error = await net.pay(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PaymentError)) throw new Error(`another outcome: ${String(error)}`);
  return error;
}

test('a double spend is refused while the first payment waits, and once it is in the chain', async () => {
  const first = await net.pay(simple());
  const second = { ...simple(), to: devAccount(3).address, spend: first };
  expect(await failure(second)).toMatchObject({
    code: 'refused',
    reasons: ['double_spend'],
    payment: { spent: first.spent },
  });
  await net.confirm(first);
  const late = await failure(second);
  expect(late.reasons).toContain('double_spend');
});

test('the ring of a double spend is unlocked where the first payment stands, so that it can take its place', async () => {
  const first = await net.pay(simple());
  const { height } = await net.confirm(first);
  // Every coinbase of the chain is unlocked by now, four fifths of them were not then.
  await net.mine(400);
  const second = await net.pay({ ...simple(), spend: first, send: false });
  const { store } = net.node.blockchain;
  for (const input of parseTransaction(second.blob).tx.inputs) {
    if (input.kind !== 'key') throw new Error('not an input of a payment');
    let index = 0;
    for (const offset of input.keyOffsets) {
      const member = store.output(0n, (index += Number(offset)));
      expect(Number(member?.unlockTime)).toBeLessThanOrEqual(height);
    }
  }
});

test('a low fee is refused', async () => {
  const error = await failure({ ...simple(), fee: 1000n });
  expect(error).toMatchObject({ code: 'refused', reasons: ['fee_too_low'] });
  expect(error.payment?.fee).toBe(1000n);
});

test('a chosen ring is taken, and a bad one refused', async () => {
  const ring = Array.from({ length: 15 }, (_, i) => i + 10);
  const payment = await net.pay({ ...simple(), ring });
  const [input] = parseTransaction(payment.blob).tx.inputs;
  if (input?.kind !== 'key') throw new Error('no input');
  let sum = 0;
  const indices = input.keyOffsets.map((offset) => (sum += Number(offset)));
  expect(indices).toEqual([...ring, ...payment.spent].sort((a, b) => a - b));
  const wrong = (indices: readonly number[]) => failure({ ...simple(), ring: indices });
  // Too few, one of them twice, one that is locked.
  expect((await wrong(ring.slice(1))).reasons).toContain('low_mixin');
  expect((await wrong([...ring.slice(1), 11])).reasons).toContain('invalid_input');
  expect(
    (await wrong([...ring.slice(1), net.node.blockchain.store.outputCount(0n) - 1])).reasons,
  ).toContain('invalid_input');
  await expect(net.pay({ ...simple(), ring: [1_000_000] })).rejects.toThrow(RangeError);
});

test('a payment that was not sent is taken when it is', async () => {
  const payment = await net.pay({ ...simple(), send: false });
  expect(net.node.pool.transaction(payment.id)).toBeUndefined();
  await expect(net.confirm(payment)).rejects.toMatchObject({ code: 'lost' });
  const { status } = await net.node.pool.add(payment.blob, { source: 'local' });
  expect(status).toBe('added');
  await net.confirm(payment);
});

test('who has no coins cannot pay', async () => {
  const poor = devAccount(77);
  expect(await failure({ ...simple(), from: poor })).toMatchObject({ code: 'no-coins' });
  expect(await failure({ ...simple(), amount: 100_000n * XMR })).toMatchObject({
    code: 'no-coins',
  });
});

test('a young chain has no rings', async () => {
  const young = await startNode();
  await young.mine(1, payer.address);
  await young.mine(60);
  const [one] = await young.mine(1);
  expect(one?.height).toBe(62);
  await expect(young.pay(simple())).rejects.toMatchObject({ code: 'no-ring' });
  await young.stop();
});

test.each<[string, Partial<PayOptions>]>([
  ['no address', { to: 'nobody' }],
  ['an address of another network', { to: devAccount(1, 'stagenet').address }],
  ['a number', { amount: 5 as never }],
  ['less than nothing', { amount: -1n }],
  ['no amount', { amount: undefined as never }],
  ['nobody', { to: [], amount: undefined as never }],
  [
    'sixteen recipients',
    {
      to: Array.from({ length: 16 }, () => ({ address: payee.address, amount: 1n })),
      amount: undefined as never,
    },
  ],
  [
    'a payment id among two recipients',
    {
      to: [
        { address: devAddress(payee, { paymentId: new Uint8Array(8) }), amount: 1n },
        { address: devAccount(3).address, amount: 1n },
      ],
      amount: undefined as never,
    },
  ],
])('a payment to %s is refused before anything is made', async (_, change) => {
  await expect(net.pay({ ...simple(), ...change })).rejects.toThrow(RangeError);
});

test('options that there are not are errors', async () => {
  await expect(net.pay({ ...simple(), priority: 2 } as never)).rejects.toThrow(
    'pay: no option "priority"; there are from, to, amount,',
  );
  expect(() => devAddress(payee, { subaddress: 1 } as never)).toThrow('no option "subaddress"');
});
