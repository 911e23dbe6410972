import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chainFacts } from '../chain/fixture.ts';
import { CHROMIUM_FLAGS, findChromium } from '../harness/chromium.ts';
import { objectsOf, stringOf } from '../harness/json.ts';
import {
  mine,
  startMonerod,
  waitForSameTip,
  type RunningNode,
  type Tip,
} from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { pay, poolIds } from '../harness/pool.ts';
import { monerodDataWithChain, ourDataWithChain } from '../harness/prepared-chains.ts';
import { describeLongWithMonero, describeWithMonero } from '../harness/describe-with-monero.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

/** Number of blocks, enough for several requests. */
const BLOCKS = 80;
const WAIT = 120_000;
const PAGE = fileURLToPath(new URL('pages/top-block.page.ts', import.meta.url));

/** Bundles the page into one JavaScript file, from the packages as published. */
async function bundledPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    // Parts of the packages that the page does not use import Node's modules.
    external: ['node:*'],
    logLevel: 'silent',
  });
  const script = outputFiles[0]?.text ?? '';
  expect(script).not.toMatch(/["']node:/);
  return script;
}

/** Serves a page that runs a script. */
async function serve(script: string): Promise<{ server: Server; url: string }> {
  const [port = 0] = await freePorts(1);
  const server = createServer(({ url }, response) => {
    if (url === '/page.js') {
      response.setHeader('content-type', 'text/javascript').end(script);
    } else {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><body><script type="module" src="/page.js"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));
  return { server, url: `http://${LOOPBACK}:${port}/` };
}

describeWithMonero('libp2p', () => {
  let monerod: RunningNode;
  let first: RunningNode;
  let tip: Tip;
  const others: RunningNode[] = [];
  /** Multiaddress of our first node, with its id. */
  let tcp = '';
  let webSocket = '';

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS) });
    tip = await monerod.tip();
    const at = [`/ip4/${LOOPBACK}/tcp/0`, `/ip4/${LOOPBACK}/tcp/0/ws`];
    first = await startOurDaemon({
      name: 'ours-listening',
      peers: [monerod.p2p],
      extra: at.flatMap((address) => ['--libp2p-listen', address]),
    });
    const reached = [...first.process.output().matchAll(/libp2p: reached at (\S+)/g)];
    [tcp = '', webSocket = ''] = reached.map(([, address = '']) => address);
    await waitForSameTip(first, tip, WAIT);
    expect(tcp).toMatch(/\/tcp\/\d+\/p2p\/12D3Koo/);
    expect(webSocket).toMatch(/\/tcp\/\d+\/ws\/p2p\/12D3Koo/);
    await monerod.stop();
  }, 2 * WAIT);

  afterAll(async () => {
    for (const node of [...others, first, monerod]) await node?.stop();
  }, WAIT);

  test.each([
    ['TCP', () => tcp],
    ['WebSocket', () => webSocket],
  ])(
    'another of ours gets the chain over %s',
    async (name, peer) => {
      const other = await startOurDaemon({
        name: `ours-by-${name}`,
        extra: ['--libp2p-peer', peer()],
      });
      others.push(other);
      expect(await waitForSameTip(other, tip, WAIT)).toEqual(tip);
      const [link, ...more] = objectsOf(await other.rpc.call('get_connections'), 'connections');
      expect(more).toEqual([]);
      expect(link).toMatchObject({ address_type: 0, host: tcp.split('/').at(-1), incoming: false });
      // libp2p peers are not shared with other peers.
      for (const node of [first, other]) {
        const lists = JSON.stringify(await node.rpc.path('/get_peer_list', { public_only: false }));
        expect(lists).not.toContain('12D3Koo');
      }
    },
    WAIT,
  );

  const browser = findChromium();
  if (browser === undefined && process.env['REQUIRE_MONEROD'] !== '1')
    process.stderr.write('skipped: a page in a browser: Chromium is not installed\n');
  const inBrowser =
    browser === undefined && process.env['REQUIRE_MONEROD'] !== '1' ? test.skip : test;

  inBrowser(
    'a page in a browser reads the top block',
    async () => {
      if (browser === undefined) throw new Error('Chromium is not installed');
      const { server, url } = await serve(await bundledPage());
      const running = await chromium.launch({
        executablePath: browser,
        headless: true,
        args: [...CHROMIUM_FLAGS],
      });
      try {
        const page = await running.newPage();
        const { genesisId, networkId } = NETWORKS.regtest;
        const [network, genesis] = [toHex(networkId), toHex(genesisId)];
        const query = { peer: webSocket, network, genesis };
        await page.goto(`${url}?${new URLSearchParams(query).toString()}`);
        const shown = page.locator('#id, #error');
        await shown.waitFor({ timeout: 30_000 });
        expect(await shown.textContent()).toBe(tip.id);
        expect(await page.locator('#height').textContent()).toBe(String(tip.height - 1));
      } finally {
        await running.close();
        server.close();
      }
    },
    WAIT,
  );

  test(
    'no peer was banned, and the daemons stop',
    async () => {
      for (const node of [...others, first]) {
        const { bans } = await node.rpc.call('get_bans');
        expect(bans ?? []).toEqual([]);
        expect(stringOf(await node.info(), 'status')).toBe('OK');
        expect(await node.stop()).toBe(0);
      }
    },
    WAIT,
  );
});

/** Milliseconds that the link must hold. */
const LONG = 600_000;

describeLongWithMonero('one link over WebSocket', () => {
  const [first, second] = chainFacts().wallets;
  if (first === undefined || second === undefined) throw new Error('two wallets are needed');
  let listening: RunningNode;
  let dialling: RunningNode;
  let wallet: RunningWallet;

  beforeAll(
    async () => {
      listening = await startOurDaemon({
        name: 'ours-with-chain',
        dataDir: (await ourDataWithChain()).folder,
        extra: ['--libp2p-listen', `/ip4/${LOOPBACK}/tcp/0/ws`],
      });
      const [, address = ''] = /libp2p: reached at (\S+)/.exec(listening.process.output()) ?? [];
      dialling = await startOurDaemon({
        name: 'ours-without-chain',
        extra: ['--libp2p-peer', address],
      });
    },
    2 * WAIT + 500_000,
  );

  afterAll(async () => {
    for (const running of [wallet, dialling, listening]) await running?.stop();
  }, WAIT);

  async function links(): Promise<string[]> {
    const answers = await Promise.all(
      [listening, dialling].map((node) => node.rpc.call('get_connections')),
    );
    return answers.flatMap((answer) =>
      objectsOf(answer, 'connections').map((link) => stringOf(link, 'connection_id')),
    );
  }

  async function mineOne(miner: RunningNode, other: RunningNode): Promise<void> {
    await mine(miner, 1, first?.address ?? '');
    await waitForSameTip(other, await miner.tip(), 2 * WAIT);
  }

  /** Sends a transaction through the dialling node and waits until the other has it. */
  async function payOne(): Promise<void> {
    const { id } = await pay(wallet, second?.address ?? '', 10_000_000_000);
    await waitUntil(
      'the transaction to cross the link',
      async () => (await poolIds(listening)).includes(id),
      { timeout: 2 * WAIT, interval: 500 },
    );
  }

  test(
    'holds for a synchronization and ten minutes of blocks both ways and transactions',
    async () => {
      await waitUntil('the link', async () => (await links()).length === 2, { timeout: WAIT });
      const before = await links();
      await waitForSameTip(dialling, await listening.tip(), LONG);
      wallet = await restoreWallet('web-socket', dialling.rpc.port, first.seed);
      const since = Date.now();
      for (let round = 0; Date.now() - since < LONG; round++) {
        if (round % 2 === 0) await mineOne(dialling, listening);
        else await mineOne(listening, dialling);
        if (round % 20 === 10) {
          await wallet.call('refresh');
          await payOne();
        }
        expect(await links()).toEqual(before);
        await sleep(1_000);
      }
    },
    4 * LONG,
  );
});
