import { toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { type RpcClient, RpcConnectionError, RpcLoginError } from '@monero-node/rpc-client';
import {
  type BlockEvent,
  type PaymentEvent,
  type PaymentsPosition,
  watchBlocks,
  type WatchBlocksOptions,
  type WatchedClient,
  watchPayments,
  watchPool,
  type WatchTrouble,
} from '@monero-node/rpc-client/watch';
import { accountFromSecrets, Scanner } from '@monero-node/wallet-primitives';
import { type DevNode, devAccount, devAddress, startNode } from './index.ts';

const XMR = 10n ** 12n;
const SOON = { interval: 5 };
const DEVNET_MS = 120_000;

/** A client of a node that can be taken away. Tells when it has answered. */
function cable(rpc: RpcClient, onAnswer: () => void = () => undefined) {
  const state = { isCut: false, calls: 0 };
  const pass = async <T>(call: () => Promise<T>): Promise<T> => {
    state.calls++;
    if (state.isCut) throw new RpcConnectionError('cut', { code: 'refused' });
    const answer = await call();
    onAnswer();
    return answer;
  };
  const client: WatchedClient = {
    rpc: (...args) => pass(() => rpc.rpc(...args)),
    path: (...args) => pass(() => rpc.path(...args)),
    binary: (...args) => pass(() => rpc.binary(...args)),
  };
  return { state, client };
}

/** Takes events as they are asked for. */
function taker<T>(events: AsyncGenerator<T>) {
  return async (count: number): Promise<T[]> => {
    const taken: T[] = [];
    while (taken.length < count) {
      const { value, done } = await events.next();
      if (done === true) break;
      taken.push(value);
    }
    return taken;
  };
}
const shown = ({ kind, height, id }: BlockEvent): string => `${kind} ${height} ${toHex(id)}`;

const nets: DevNode[] = [];
async function start(): Promise<DevNode> {
  const net = await startNode();
  nets.push(net);
  return net;
}
afterEach(async () => {
  for (const net of nets.splice(0)) await net.stop();
}, DEVNET_MS);

const idAt = (net: DevNode, height: number): string =>
  toHex(net.node.blockchain.store.blockMeta(height)?.id ?? new Uint8Array(0));

describe('watchBlocks', () => {
  test('tells of every block in order, and of those that a reorganization takes away', async () => {
    const net = await start();
    await net.mine(5);
    const take = taker(watchBlocks({ client: net.rpc, from: 0, ...SOON }));
    const applied = (height: number) => `applied ${height} ${idAt(net, height)}`;
    const first = await take(6);
    expect(first.map(shown)).toEqual([0, 1, 2, 3, 4, 5].map(applied));
    expect(first.map((event) => event.kind === 'applied' && event.confirmations)).toEqual([
      6, 5, 4, 3, 2, 1,
    ]);
    const gone = [5, 4, 3].map((height) => `reverted ${height} ${idAt(net, height)}`);
    await net.reorganize(3);
    expect((await take(7)).map(shown)).toEqual([...gone, ...[3, 4, 5, 6].map(applied)]);
    await net.mine();
    expect((await take(1)).map(shown)).toEqual([applied(7)]);
  });

  test('tells of a chain that has one block', async () => {
    const net = await start();
    const take = taker(watchBlocks({ client: net.rpc, from: 0, ...SOON }));
    expect((await take(1)).map(shown)).toEqual([`applied 0 ${idAt(net, 0)}`]);
    const next = take(1);
    await net.mine();
    expect((await next).map(shown)).toEqual([`applied 1 ${idAt(net, 1)}`]);
  });

  test('goes on after every position, as it comes out of a store', async () => {
    const net = await start();
    await net.mine(3);
    const all = await taker(watchBlocks({ client: net.rpc, from: 0, ...SOON }))(4);
    await net.reorganize(2);
    const after = await taker(
      watchBlocks({ client: net.rpc, position: all[3]?.position, ...SOON }),
    )(5);
    const told = [...all, ...after];
    for (const [i, { position }] of told.entries()) {
      const stored = JSON.parse(JSON.stringify(position)) as typeof position;
      const rest = watchBlocks({ client: net.rpc, position: stored, ...SOON });
      // Before the reorganization was told, only what is not the old branch's is left.
      const expected = i < 1 ? [1, 2, 3, 4] : undefined;
      if (expected !== undefined) {
        expect((await taker(rest)(4)).map(({ height }) => height)).toEqual(expected);
      } else if (i >= 3) {
        expect((await taker(rest)(told.length - 1 - i)).map(shown)).toEqual(
          told.slice(i + 1).map(shown),
        );
      }
    }
  });

  test('begins with the next block, and tells with as many confirmations as are wanted', async () => {
    const net = await start();
    await net.mine(8);
    let hasLooked: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => (hasLooked = resolve));
    const { client } = cable(net.rpc, hasLooked);
    const next = taker(watchBlocks({ client, ...SOON }));
    const late = taker(watchBlocks({ client: net.rpc, from: 1, confirmations: 3, ...SOON }));
    expect((await late(6)).map(({ height }) => height)).toEqual([1, 2, 3, 4, 5, 6]);
    const soon = next(1);
    await looked;
    const waiting = late(4);
    await net.reorganize(2);
    await net.mine();
    expect((await soon)[0]?.height).toBe(9);
    // Blocks 7 and 8 were replaced before they were told, so that nobody hears of the first ones.
    await net.mine(2);
    expect((await waiting).map(({ kind, height }) => `${kind} ${height}`)).toEqual(
      [7, 8, 9, 10].map((height) => `applied ${height}`),
    );
  });

  test('a node that lags or is on a side chain changes nothing, alone neither', async () => {
    const [main, other] = [await start(), await start()];
    await main.mine(10);
    await other.mine(6);
    const [a, b] = [cable(main.rpc), cable(other.rpc)];
    const troubles: WatchTrouble[] = [];
    const take = taker(
      watchBlocks({
        client: [b.client, a.client],
        from: 0,
        onTrouble: (trouble) => troubles.push(trouble),
        ...SOON,
      }),
    );
    const first = await take(11);
    expect(shown(first[10] as BlockEvent)).toBe(`applied 10 ${idAt(main, 10)}`);
    a.state.isCut = true;
    const waiting = take(1);
    await other.mine(4); // as much work as the main chain: not more
    const { calls } = b.state;
    while (b.state.calls < calls + 20) await new Promise((resolve) => setImmediate(resolve));
    expect(troubles.length).toBeGreaterThan(0);
    expect(new Set(troubles.map(({ node }) => node))).toEqual(new Set([1]));
    a.state.isCut = false;
    await main.mine();
    expect((await waiting).map(shown)).toEqual([`applied 11 ${idAt(main, 11)}`]);
    // It has more work now, and the first block in common.
    const replaced = take(11);
    await other.mine(2);
    expect((await replaced).map(({ kind, height }) => `${kind} ${height}`)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((height) => `reverted ${height}`),
    );
    expect((await take(12)).map(shown)).toEqual(
      Array.from({ length: 12 }, (_, i) => `applied ${i + 1} ${idAt(other, i + 1)}`),
    );
  });

  test('ends with its signal, and with what does not pass', async () => {
    const net = await start();
    const stop = new AbortController();
    const take = taker(watchBlocks({ client: net.rpc, signal: stop.signal, interval: 60_000 }));
    const waiting = take(1);
    const reason = new Error('enough');
    setImmediate(() => stop.abort(reason));
    await expect(waiting).rejects.toBe(reason);

    const refusing = cable(net.rpc).client;
    const locked: WatchedClient = { ...refusing, rpc: () => Promise.reject(new RpcLoginError()) };
    await expect(taker(watchBlocks({ client: locked }))(1)).rejects.toThrow(RpcLoginError);

    await net.mine(20);
    const [event] = await taker(watchBlocks({ client: net.rpc, from: 15, ...SOON }))(1);
    const position = event?.position ?? ({} as never);
    const foreign = { ...position, genesis: 'ab'.repeat(32) };
    await expect(
      taker(watchBlocks({ client: net.rpc, position: foreign, ...SOON }))(1),
    ).rejects.toMatchObject({ code: 'other-chain' });
    const options: WatchBlocksOptions = { client: net.rpc, depth: 5, ...SOON };
    const shallow = taker(watchBlocks({ ...options, from: 15 }));
    await shallow(6);
    await net.reorganize(8);
    await expect(shallow(1)).rejects.toMatchObject({ code: 'too-deep' });
  });

  test('looks at once when it is woken', async () => {
    const net = await start();
    let wake: () => void = () => undefined;
    async function* wakes() {
      for (;;) yield await new Promise<void>((resolve) => (wake = resolve));
    }
    const take = taker(watchBlocks({ client: net.rpc, interval: 1e9, wakes: wakes() }));
    const next = take(1);
    net.node.blockchain.on('blocks-added', () => wake());
    await net.mine();
    expect((await next)[0]?.height).toBe(1);
  });
});

test(
  'watchPool tells of what comes and what leaves',
  async () => {
    const net = await start();
    const customer = await net.fundedAccount();
    const to = devAccount(1).address;
    const take = taker(watchPool({ client: net.rpc, ...SOON }));
    const paid = await net.pay({ from: customer, to, amount: XMR });
    expect(await take(1)).toMatchObject([
      { kind: 'added', id: paid.id, receivedAt: expect.any(Number) },
    ]);
    const { height } = await net.confirm(paid);
    expect(await take(1)).toEqual([{ kind: 'removed', id: paid.id, height }]);
    const lost = await net.pay({ from: customer, to, amount: XMR });
    expect(await take(1)).toMatchObject([{ kind: 'added', id: lost.id }]);
    await net.node.pool.flush([lost.id]);
    expect(await take(1)).toEqual([{ kind: 'removed', id: lost.id, height: undefined }]);
  },
  DEVNET_MS,
);

describe('watchPayments', () => {
  const shop = devAccount(1);
  const backend = createBackend();
  const scanner = () =>
    new Scanner({
      account: accountFromSecrets(shop),
      backend,
      lookahead: { accounts: 1, addresses: 10 },
    });

  test(
    'a payment is seen, applied, confirmed, and reverted',
    async () => {
      const net = await start();
      const customer = await net.fundedAccount();
      const take = taker(
        watchPayments({
          client: net.rpc,
          scanner: scanner(),
          confirmations: 3,
          pool: true,
          ...SOON,
        }),
      );
      const waiting = take(1);
      const to = devAddress(shop, { at: { account: 0, index: 7 } });
      const paid = await net.pay({ from: customer, to, amount: XMR });
      const payment = {
        transaction: toHex(paid.id),
        amount: XMR,
        subaddress: { account: 0, index: 7 },
        isCoinbase: false,
        unlockTime: 0n,
      };
      expect(await waiting).toMatchObject([
        { kind: 'seen', payments: [{ ...payment, height: undefined }] },
      ]);
      const { height } = await net.confirm(paid, 3);
      const inBlock = { ...payment, height };
      expect(await take(4)).toMatchObject([
        { kind: 'applied', height, payments: [inBlock], confirmed: [] },
        { kind: 'applied', height: height + 1, payments: [], confirmed: [] },
        { kind: 'applied', height: height + 2, payments: [], confirmed: [inBlock] },
        { kind: 'gone', payments: [payment] },
      ]);
      await net.reorganize(3, { exclude: [paid] });
      expect(await take(3)).toMatchObject([
        { kind: 'reverted', height: height + 2, payments: [] },
        { kind: 'reverted', height: height + 1, payments: [] },
        { kind: 'reverted', height, payments: [inBlock] },
      ]);
    },
    DEVNET_MS,
  );

  test(
    'a payment whose coins the chain has spent elsewhere is gone, although it stays in the pool',
    async () => {
      const net = await start();
      const customer = await net.fundedAccount();
      const options = { client: net.rpc, scanner: scanner(), pool: true, ...SOON };
      const take = taker(watchPayments(options));
      const waiting = take(1);
      const payment = await net.pay({ from: customer, to: shop.address, amount: XMR });
      const payments = [expect.objectContaining({ transaction: toHex(payment.id) })];
      expect(await waiting).toEqual([{ kind: 'seen', payments }]);
      const { height } = await net.confirm(payment);
      const mined = await take(2);
      expect(mined.map(({ kind }) => kind).sort()).toEqual(['applied', 'gone']);
      const elsewhere = { from: customer, to: devAccount(3).address, amount: XMR };
      const theft = await net.pay({ ...elsewhere, spend: payment, send: false });
      await net.reorganize(1, { include: [theft] });
      expect(await take(3)).toMatchObject([
        { kind: 'reverted', height, payments },
        { kind: 'applied', height, payments: [] },
        { kind: 'applied', height: height + 1, payments: [] },
      ]);
      // The pool has it again, but it is the next one that is seen.
      expect(net.node.pool.transaction(payment.id)).toBeDefined();
      const next = await net.pay({ from: customer, to: shop.address, amount: 2n * XMR });
      expect(await take(1)).toMatchObject([
        { kind: 'seen', payments: [{ transaction: toHex(next.id) }] },
      ]);
      // Whoever looks at the pool for the first time does not see it either.
      expect(await taker(watchPayments(options))(1)).toMatchObject([
        { kind: 'seen', payments: [{ transaction: toHex(next.id) }] },
      ]);
    },
    DEVNET_MS,
  );

  test(
    'none is lost or counted twice while nodes go, chains part and the program crashes',
    async () => {
      const [main, other] = [await start(), await start()];
      const customer = await main.fundedAccount();
      await other.mine(40);
      const [a, b] = [cable(main.rpc), cable(other.rpc)];
      const ledger = new Map<string, bigint>();
      let stored: string | undefined;
      const book = (event: PaymentEvent): void => {
        if (!('position' in event)) return;
        for (const { key, amount } of event.payments) {
          expect(ledger.has(key)).toBe(event.kind === 'reverted');
          if (event.kind === 'applied') ledger.set(key, amount);
          else ledger.delete(key);
        }
        stored = JSON.stringify(event.position);
      };
      /** Takes events until the end of the chain, and in each run a few more only: then the program crashes. */
      const follow = async (untilTop: boolean, most = Infinity): Promise<void> => {
        const position =
          stored === undefined ? undefined : (JSON.parse(stored) as PaymentsPosition);
        const start = position === undefined ? { from: 0 } : { position };
        if (untilTop && position?.ids.at(-1) === toHex(main.topId)) return;
        let taken = 0;
        for await (const event of watchPayments({
          client: [b.client, a.client],
          scanner: scanner(),
          ...start,
          ...SOON,
        })) {
          book(event);
          if (++taken >= most) return;
          if (untilTop && 'id' in event && toHex(event.id) === toHex(main.topId)) return;
        }
      };
      await follow(true);
      for (let round = 0; round < 12; round++) {
        const to = devAddress(shop, { at: { account: 0, index: round % 10 } });
        const paid = await main.pay({ from: customer, to, amount: XMR * BigInt(round + 1) });
        if (round % 2 === 0) a.state.isCut = true;
        await main.confirm(paid, 1 + (round % 4));
        a.state.isCut = false;
        await follow(false, 1);
        const depth = 1 + (round % 4);
        await main.reorganize(depth, round % 3 === 0 ? { include: [paid] } : {});
        if (round % 3 === 1) await follow(false, 2);
        if (round % 4 === 0) await main.mine(2);
        if (round % 3 !== 1) await follow(true);
      }
      await main.mine();
      await follow(true);
      const truth = new Map<string, bigint>();
      const { blocks } = await main.rpc.binary('/get_blocks.bin', {
        block_ids: [main.node.blockchain.store.blockMeta(0)?.id ?? new Uint8Array(32)],
        prune: true,
      });
      for (const { outputs } of scanner().scanBlocks(blocks)) {
        for (const { key, amount } of outputs) truth.set(toHex(key), amount);
      }
      expect(blocks).toHaveLength(main.height);
      expect(truth.size).toBe(12);
      expect(ledger).toEqual(truth);
    },
    DEVNET_MS,
  );
});
