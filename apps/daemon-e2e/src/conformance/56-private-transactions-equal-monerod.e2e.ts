import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { templateTxs } from '../harness/block-template.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { formatJson, parseJson, stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep, startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { send, spendable, spendOutput, type MadeTransaction } from '../harness/pool.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { restoreWallet } from '../harness/wallet.ts';

const BLOCKS = 230;
const WAIT = 180_000;

/** Returns what a restricted port shows of the pool and of the next block. */
async function told(rpc: RpcClient, address: string): Promise<JsonObject> {
  const template = await rpc.call('get_block_template', { wallet_address: address });
  const miner = await rpc.call('get_miner_data');
  const info = await rpc.path('/get_info');
  const backlog = await rpc.call('get_txpool_backlog');
  return {
    template: templateTxs(template).sort(),
    miner: miner['tx_backlog'] ?? [],
    info: info['tx_pool_size'] ?? 0,
    // Without the seconds that have passed between the two nodes.
    backlog: Buffer.from(String(backlog['backlog'] ?? ''), 'latin1')
      .toString('hex')
      .replace(/(?<=^.{32})0.0{14}$/, 'soon'),
  };
}

describeWithMonero(
  'both daemons hide transactions that are not public yet',
  () => {
    const [wallet0] = chainFacts().wallets;
    if (wallet0 === undefined) throw new Error('a wallet is needed');
    const { address, seed } = wallet0;
    let monerod: RunningNode;
    let ours: RunningNode;
    let made: MadeTransaction[];
    const restricted = new Map<RunningNode, RpcClient>();

    beforeAll(async () => {
      const source = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS) });
      const follower = await startInStep(source);
      await follower.stop();
      const wallet = await restoreWallet('private', source.rpc.port, seed);
      await wallet.call('refresh', { start_height: 0 });
      made = [];
      for (const image of (await spendable(wallet)).slice(0, 4)) {
        made.push(await spendOutput(wallet, image, address));
      }
      await wallet.stop();
      await source.stop();
      const [theirPort = 0, ourPort = 0] = await freePorts(2);
      const extra = (port: number) => [
        ...['--rpc-restricted-bind-ip', LOOPBACK, '--rpc-restricted-bind-port', String(port)],
      ];
      monerod = await startMonerod({
        offline: true,
        dataDir: source.dataDir,
        extra: extra(theirPort),
      });
      ours = await startOurDaemon({
        offline: true,
        dataDir: follower.dataDir,
        extra: extra(ourPort),
      });
      restricted.set(monerod, new RpcClient(theirPort));
      restricted.set(ours, new RpcClient(ourPort));
    }, 600_000);

    afterAll(async () => {
      for (const rpc of restricted.values()) rpc.close();
      await ours.stop();
      await monerod.stop();
    });

    test(
      'show the same on both ports',
      async () => {
        const [first, second] = made as [MadeTransaction, MadeTransaction];
        for (const node of [monerod, ours]) {
          expect(await send(node, first)).toMatchObject({ status: 'OK' });
          expect(await send(node, second, { do_not_relay: true })).toMatchObject({ status: 'OK' });
        }
        const all: JsonObject[] = [];
        for (const node of [monerod, ours]) {
          const rpc = restricted.get(node) as RpcClient;
          all.push({ full: await told(node.rpc, address), restricted: await told(rpc, address) });
        }
        expect(all[1]).toEqual(all[0]);
      },
      WAIT,
    );

    test(
      'refuse altered copies alike',
      async () => {
        const [first, second, third] = made as [MadeTransaction, MadeTransaction, MadeTransaction];
        const found: unknown[] = [];
        const answer = async (
          node: RunningNode,
          hex: string,
          more: object,
        ): Promise<JsonObject> => {
          const request = formatJson({ tx_as_hex: hex, ...more });
          const { status, body } = await node.rpc.post(
            '/send_raw_transaction',
            request,
            'application/json',
          );
          if (status !== 200) return { http: status };
          return parseJson(body.toString('latin1')) as JsonObject;
        };
        const compare = async (name: string, hex: string, more = {}): Promise<void> => {
          const [theirs, mine] = [await answer(monerod, hex, more), await answer(ours, hex, more)];
          delete mine['not_rct'];
          delete theirs['not_rct'];
          // monerod fails without an answer when its sanity check meets a ring member that does not exist.
          if ('http' in theirs) return;
          try {
            expect(mine).toEqual(theirs);
          } catch {
            const telling = (answer: JsonObject) =>
              Object.entries(answer)
                .filter(([, v]) => v !== false && v !== '')
                .map(String);
            found.push([name, telling(mine), telling(theirs)]);
          }
        };
        const changed = (hex: string, at: number, mask = 1): string => {
          const bytes = Buffer.from(hex, 'hex');
          const where = at < 0 ? bytes.length + at : at;
          bytes[where] = (bytes[where] ?? 0) ^ mask;
          return bytes.toString('hex');
        };
        for (const [name, { hex }] of [
          ['public or local', first],
          ['withheld', second],
          ['unknown', third],
        ] as const) {
          for (const at of [-1, -2, -33, -40, -200, -800, 1, 2, 60, 120, 200]) {
            for (const checks of [true, false])
              await compare(`${name} ${at} ${checks}`, changed(hex, at), {
                do_sanity_checks: checks,
              });
          }
          for (let mask = 2; mask < 256; mask += mask < 16 ? 1 : 13) {
            for (const checks of [true, false])
              await compare(`${name} last ${mask} ${checks}`, changed(hex, -1, mask), {
                do_sanity_checks: checks,
              });
          }
          await compare(`${name} twice`, changed(changed(hex, -1), -400), {
            do_sanity_checks: false,
          });
          await compare(`${name} longer`, `${hex}00`);
          await compare(`${name} shorter`, hex.slice(0, -2));
        }
        expect(await answer(ours, changed(first.hex, -1), {})).toMatchObject({
          double_spend: true,
          invalid_input: false,
          status: 'Failed',
        });
        await mine(monerod, 1, address);
        const top = await monerod.rpc.call('get_block', {
          height: (await monerod.tip()).height - 1,
        });
        await ours.rpc.call('submit_block', [stringOf(top, 'blob')]);
        await waitForSameTip(ours, await monerod.tip(), WAIT);
        for (const at of [-1, -2, -40, -800, 1, 60, 200])
          await compare(`mined ${at}`, changed(first.hex, at), { do_sanity_checks: false });
        expect(found).toEqual([]);
      },
      WAIT,
    );
  },
  undefined,
  'current',
);
