import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import {
  devAccount,
  devAddress,
  startNode,
  type DevAccount,
  type DevNode,
} from '@monero-node/devnet';
import { RpcClient } from '@monero-node/rpc-client';
import {
  watchPayments,
  type PaymentEvent,
  type PaymentsPosition,
  type WatchedClient,
} from '@monero-node/rpc-client/watch';
import { accountFromSecrets, Scanner } from '@monero-node/wallet-primitives';
import { describeLongWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectOf, objectsOf, stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { waitUntil } from '../harness/wait.ts';
import { restoreWallet } from '../harness/wallet.ts';

const XMR = 1_000_000_000_000n;
const WAIT = 300_000;
const REORGANIZATIONS = 20;
/** In every second round our node is killed; in the others the program that follows is. */
const KILLS = 10;
const payee = devAccount(2);

/** A client of the node that runs now: it has another port after each start. */
function following(url: () => string): WatchedClient {
  let client: RpcClient | undefined;
  let last = '';
  const now = (): RpcClient => {
    const address = url();
    if (client === undefined || address !== last) client = new RpcClient({ url: address });
    last = address;
    return client;
  };
  return {
    rpc: (...args) => now().rpc(...args),
    path: (...args) => now().path(...args),
    binary: (...args) => now().binary(...args),
  };
}

/** A program that keeps account of payments, as a shop does: what it knows survives only in its store. */
class Bookkeeper {
  readonly payments = new Map<string, string>();
  readonly faults: string[] = [];
  reverted = 0;
  #stored: string | undefined;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #nodes: readonly WatchedClient[];

  constructor(nodes: readonly WatchedClient[]) {
    this.#nodes = nodes;
  }

  /** Id of the last block that was told, hex. */
  get topId(): string | undefined {
    return this.#position?.ids.at(-1);
  }

  get #position(): PaymentsPosition | undefined {
    return this.#stored === undefined ? undefined : (JSON.parse(this.#stored) as PaymentsPosition);
  }

  start(): void {
    const position = this.#position;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const scanner = new Scanner({
      account: accountFromSecrets(payee),
      backend: createBackend(),
      lookahead: { accounts: 1, addresses: 30 },
    });
    const events = watchPayments({
      client: this.#nodes,
      scanner,
      signal,
      interval: 100,
      ...(position === undefined ? { from: 0 } : { position }),
    });
    this.#running = this.#keep(events).catch((error: unknown) => {
      if (!signal.aborted) this.faults.push(String(error));
    });
  }

  /** Ends at once, whatever was being done. */
  async crash(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #keep(events: AsyncIterable<PaymentEvent>): Promise<void> {
    for await (const event of events) {
      if (!('position' in event)) continue;
      for (const { key, transaction, subaddress, amount } of event.payments) {
        const isKnown = this.payments.has(key);
        if (isKnown !== (event.kind === 'reverted')) this.faults.push(`${event.kind} ${key}`);
        const place = `${subaddress.account}/${subaddress.index}`;
        if (event.kind === 'applied') this.payments.set(key, `${transaction} ${place} ${amount}`);
        else this.payments.delete(key);
      }
      if (event.kind === 'reverted') this.reverted++;
      this.#stored = JSON.stringify(event.position);
    }
  }
}

describeLongWithMonero('payments are followed', () => {
  let net: DevNode;
  let payer: DevAccount;
  let ours: RunningNode;
  let monerod: RunningNode;
  let books: Bookkeeper;
  let kills = 0;
  const running: { stop(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    net = await startNode();
    running.push(net);
    payer = await net.fundedAccount(60n * 35n * XMR);
    monerod = await startMonerod({ peers: [net.p2pAddress] });
    running.push(monerod);
    ours = await startOurDaemon({ peers: [net.p2pAddress] });
    books = new Bookkeeper(
      [() => monerod, () => ours].map((node) =>
        following(() => `http://127.0.0.1:${node().rpc.port}`),
      ),
    );
    books.start();
  }, WAIT);

  afterAll(async () => {
    await books.crash();
    await ours.stop();
    for (const each of running.reverse()) await each.stop();
  });

  const tip = () => ({ height: net.height, id: toHex(net.topId) });

  /** Has monerod know nobody for a while, or everybody again: meanwhile it answers, and lags. */
  const shut = (isShut: boolean) =>
    monerod.rpc.call('set_bans', {
      bans: [{ host: '127.0.0.1', ban: isShut, seconds: isShut ? 600 : 0 }],
    });

  const inBooks = () =>
    waitUntil('the books to have the newest block', () => books.topId === toHex(net.topId), {
      timeout: 120_000,
    });

  test(
    `${REORGANIZATIONS} reorganizations, ${KILLS} kills of a node and another one that lags lose and double no payment`,
    async () => {
      for (let round = 0; round < REORGANIZATIONS; round++) {
        const to = devAddress(payee, { at: { account: 0, index: round } });
        const amount = XMR + BigInt(round);
        const payment = await net.pay({ from: payer, to, amount });
        if (round % 4 === 0) await shut(true);
        await net.confirm(payment, 1 + (round % 4));
        if (round % 3 === 0) await inBooks();
        if (round % 2 === 0) {
          await ours.process.kill();
          kills++;
        } else {
          await books.crash();
        }
        // In some the payment returns to the pool, in others the new branch has it too.
        await net.reorganize(1 + (round % 4), round % 3 === 1 ? { include: [payment] } : {});
        if (round % 2 === 0) {
          ours = await startOurDaemon({ peers: [net.p2pAddress], dataDir: ours.dataDir });
        } else {
          books.start();
        }
        await net.confirm(payment);
        if (round % 4 === 3) await shut(false);
      }
      await shut(false);
      await net.mine(12);
      await waitForSameTip(ours, tip(), WAIT);
      await waitForSameTip(monerod, tip(), WAIT);
      await inBooks();
      expect(books.faults).toEqual([]);
      expect(kills).toBe(KILLS);
      expect(books.reverted).toBeGreaterThan(REORGANIZATIONS / 4);
    },
    4 * WAIT,
  );

  test(
    'the wallet of the payee lists the same payments',
    async () => {
      const wallet = await restoreWallet('follow-payee', monerod.rpc.port, payee.seed);
      running.push(wallet);
      await wallet.call('refresh');
      const transfers = await wallet.call('get_transfers', { in: true, all_accounts: true });
      const listed = objectsOf(transfers, 'in').map((each) => {
        const place = objectOf(each, 'subaddr_index');
        const at = `${numberOf(place, 'major')}/${numberOf(place, 'minor')}`;
        return `${stringOf(each, 'txid')} ${at} ${numberOf(each, 'amount')}`;
      });
      expect(listed).toHaveLength(REORGANIZATIONS);
      expect([...books.payments.values()].sort()).toEqual(listed.sort());
    },
    WAIT,
  );
});
