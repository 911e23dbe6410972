import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { objectsOf, stringsOf } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { pay, poolIds } from '../harness/pool.ts';
import { monerodDataWithChain, ourDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

/**
 * Number of transactions and blocks to send. `E2E_NETWORK=500,200` sends 500 transactions and 200
 * blocks; by default the run is short.
 */
const [TRANSACTIONS = 4, BLOCKS = 8] = (process.env['E2E_NETWORK'] ?? '4,8').split(',').map(Number);
/** Number of transactions sent before the pools are compared and emptied by a block. */
const ROUND = Math.max(4, Math.ceil(TRANSACTIONS / 20));
const PICONERO = 1_000_000_000_000;
const WAIT = 120_000;
const LONG = 180_000 + 20_000 * (TRANSACTIONS + BLOCKS);

/** Milliseconds until each node had a new block or transaction. */
class Delays {
  readonly #byNode = new Map<string, number[]>();

  note(node: RunningNode, milliseconds: number): void {
    this.#byNode.set(node.name, [...(this.#byNode.get(node.name) ?? []), milliseconds]);
  }

  print(what: string): void {
    for (const [name, all] of this.#byNode) {
      const sorted = [...all].sort((a, b) => a - b);
      const median = sorted[sorted.length >> 1] ?? 0;
      const line = `${what} at ${name}: median ${median} ms, at most ${sorted.at(-1) ?? 0} ms`;
      process.stdout.write(`${line}, of ${sorted.length}\n`);
    }
  }
}

/** In this line each monerod has only nodes of ours as neighbors, so everything passes through ours. */
describeWithMonero('five nodes in a line: monerod, ours, monerod, ours, monerod', () => {
  const [first, second] = chainFacts().wallets;
  if (first === undefined || second === undefined) throw new Error('two wallets are needed');
  let line: RunningNode[] = [];
  let ends: RunningNode[] = [];
  let wallets: RunningWallet[] = [];
  let common = 0;
  const blockDelays = new Delays();
  const txDelays = new Delays();

  beforeAll(
    async () => {
      const monerods: RunningNode[] = [];
      for (const name of ['monerod-1', 'monerod-2', 'monerod-3'])
        monerods.push(await startMonerod({ name, dataDir: await monerodDataWithChain() }));
      const [one, two, three] = monerods;
      if (!one || !two || !three) throw new Error('three monerods are needed');
      const tip = await one.tip();
      common = tip.height;
      // A monerod mines once a peer of its own height has introduced itself, so ours have the chain.
      const ours = async (name: string, peers: string[]): Promise<RunningNode> =>
        startOurDaemon({ name, peers, dataDir: (await ourDataWithChain()).folder });
      const left = await ours('ours-1', [one.p2p, two.p2p]);
      const right = await ours('ours-2', [two.p2p, three.p2p]);
      line = [one, left, two, right, three];
      ends = [one, three];
      for (const node of line) await waitForSameTip(node, tip, WAIT);
      // One wallet uses a monerod at the end, the other a node of ours in the middle.
      wallets = [
        await restoreWallet(`network-${first.name}`, one.rpc.port, first.seed),
        await restoreWallet(`network-${second.name}`, right.rpc.port, second.seed),
      ];
      for (const wallet of wallets) await wallet.call('refresh', { start_height: 0 });
    },
    2 * WAIT + 500_000,
  );

  afterAll(async () => {
    for (const wallet of wallets) await wallet.stop();
    for (const node of line) await node.stop();
    blockDelays.print('blocks');
    txDelays.print('transactions');
  }, 120_000);

  /** Waits until every node has the tip of `source`, and notes how long each took. */
  async function spread(source: RunningNode, since: number): Promise<void> {
    const tip = await source.tip();
    const others = line.filter((node) => node !== source);
    await Promise.all(
      others.map(async (node) => {
        await waitUntil(
          `${node.name} to have block ${tip.height}`,
          async () => (await node.tip()).id === tip.id,
          { timeout: WAIT, interval: 20 },
        );
        blockDelays.note(node, Date.now() - since);
      }),
    );
  }

  async function mineAndSpread(source: RunningNode, count: number): Promise<void> {
    await mine(source, count, (first ?? second)?.address ?? '');
    await spread(source, Date.now());
  }

  test(
    'blocks mined at either end reach the other end',
    async () => {
      for (let i = 0; i < BLOCKS; i++) {
        const source = ends[i % 2];
        if (source) await mineAndSpread(source, 1);
      }
      const tips = await Promise.all(line.map((node) => node.tip()));
      expect(new Set(tips.map(({ id }) => id)).size).toBe(1);
      expect(tips[0]?.height).toBe(common + BLOCKS);
    },
    LONG,
  );

  /** Sends from the wallets in turn, skipping those without unlocked coins. */
  async function sendSome(count: number): Promise<Map<string, number>> {
    const sent = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      const wallet = wallets[i % 2];
      const address = [second, first][i % 2]?.address;
      if (!wallet || !address) continue;
      try {
        const { id } = await pay(wallet, address, PICONERO / 100);
        sent.set(id, Date.now());
      } catch (error) {
        if (!/unlocked|not enough/i.test(String(error))) throw error;
      }
    }
    return sent;
  }

  async function waitForPools(sent: ReadonlyMap<string, number>): Promise<void> {
    await Promise.all(
      line.map(async (node) => {
        const missing = new Set(sent.keys());
        await waitUntil(
          `${node.name} to have ${sent.size} transactions`,
          async () => {
            const pool = new Set(await poolIds(node));
            for (const id of missing) {
              if (!pool.has(id)) continue;
              missing.delete(id);
              txDelays.note(node, Date.now() - (sent.get(id) ?? 0));
            }
            return missing.size === 0;
          },
          { timeout: 2 * WAIT, interval: 200 },
        );
      }),
    );
  }

  test(
    'transactions of both wallets reach every pool and leave it with a block',
    async () => {
      let total = 0;
      const all: string[] = [];
      for (let round = 0; total < TRANSACTIONS; round++) {
        const sent = await sendSome(Math.min(ROUND, TRANSACTIONS - total));
        await waitForPools(sent);
        const pools = await Promise.all(line.map((node) => poolIds(node)));
        for (const pool of pools) expect(pool).toEqual([...sent.keys()].sort());
        const source = ends[round % 2];
        if (source) await mineAndSpread(source, 1);
        for (const node of line) expect(await poolIds(node)).toEqual([]);
        for (const wallet of wallets) await wallet.call('refresh');
        total += sent.size;
        all.push(...sent.keys());
      }
      for (const node of line) {
        const answer = await node.rpc.path('/get_transactions', { txs_hashes: all });
        expect(objectsOf(answer, 'txs')).toHaveLength(total);
        expect(answer['missed_tx'] === undefined ? [] : stringsOf(answer, 'missed_tx')).toEqual([]);
      }
    },
    2 * LONG,
  );

  test('every node switches to the longer of two branches', async () => {
    const [one, left, two] = line;
    if (!one || !left || !two) throw new Error('no line');
    // Two blocks at the same time at both ends: the one that is extended wins.
    await Promise.all(ends.map((node) => mine(node, 1, first.address)));
    await sleep(500);
    await mineAndSpread(one, 1);
    const tips = await Promise.all(line.map((node) => node.tip()));
    expect(new Set(tips.map(({ id }) => id)).size).toBe(1);
  }, 120_000);

  test('no node has banned or lost a peer', async () => {
    for (const [at, node] of line.entries()) {
      expect(objectsOf(await node.rpc.call('get_bans'), 'bans')).toEqual([]);
      const { outgoing_connections_count: out, incoming_connections_count: into } =
        await node.info();
      // Our nodes connect to both neighbors; the monerods do not connect to anyone.
      const neighbors = at === 0 || at === line.length - 1 ? 1 : 2;
      expect([node.name, out, into]).toEqual(
        at % 2 === 1 ? [node.name, 2, 0] : [node.name, 0, neighbors],
      );
    }
  });

  test('all nodes return the same headers', async () => {
    const { height } = await line[0]!.tip();
    const range = { start_height: 0, end_height: height - 1 };
    const ids = await Promise.all(
      line.map(async (node) => {
        const answer = await node.rpc.call('get_block_headers_range', range);
        return objectsOf(answer, 'headers').map((header) => header['hash']);
      }),
    );
    for (const each of ids) expect(each).toEqual(ids[0]);
    expect(ids[0]).toHaveLength(height);
  });
});
