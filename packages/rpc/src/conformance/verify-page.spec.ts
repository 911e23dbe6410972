import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { toHex } from '@monero-node/codec';
import { RpcClient } from '@monero-node/rpc-client';
import { chromiumPath, openInChromium } from '@monero-node/rpc-client/testing';
import { build } from 'esbuild';
import { recordedServer, type RecordedServer } from '../testing/index.ts';

const example = (name: string) =>
  fileURLToPath(new URL(`../../../../examples/verify-page/${name}`, import.meta.url));
const BROWSER_MS = 60_000;
/** Tries transactions after the one of the link, and sends home what the page says of each. */
const reporter = (others: readonly string[]) => `<script type="module">
  const output = document.querySelector('output');
  const form = document.querySelector('form');
  const said = async () => {
    while (output.value === '' || output.value.endsWith('…')) await new Promise((go) => setTimeout(go, 20));
    return output.value;
  };
  const all = [await said()];
  for (const id of ${JSON.stringify(others)}) {
    form.elements.namedItem('id').value = id;
    form.requestSubmit();
    all.push(await said());
  }
  await fetch('/said', { method: 'POST', body: JSON.stringify(all) });
</script>`;

const chromium = chromiumPath();
const ifInstalled = chromium === undefined ? describe.skip : describe;
const installed =
  chromium === undefined ? ' (Chromium is not installed: set CHROMIUM to its path)' : '';

ifInstalled(`the page that verifies a transaction${installed}`, () => {
  let server: RecordedServer;
  let script: string;
  let ids: readonly Uint8Array[];
  let miner: Uint8Array;
  beforeAll(async () => {
    server = await recordedServer({ corsOrigins: ['*'] });
    const { outputFiles } = await build({
      entryPoints: [example('page.mjs')],
      bundle: true,
      write: false,
      format: 'esm',
      // Fails when something that it imports needs a module of Node. The packages are those that were compiled: among the sources,
      // what is for Node and what is for browsers cannot be told apart.
      platform: 'browser',
      target: 'es2022',
    });
    script = outputFiles[0]?.text ?? '';
    const client = new RpcClient({ url: `http://127.0.0.1:${server.port}` });
    ({ tx_hashes: ids, miner_tx_hash: miner } = await client.rpc('get_block', { height: 83 }));
    client.close();
  }, BROWSER_MS);
  afterAll(() => server.stop());

  /** Opens the page in a browser and returns what it says of transactions. */
  async function saidOf(id: string, ...others: string[]): Promise<string[]> {
    const html = readFileSync(example('index.html'), 'utf8') + reporter(others);
    let close: (() => Promise<void>) | undefined;
    const site = createServer();
    try {
      return await new Promise<string[]>((resolve, reject) => {
        site.on('error', reject);
        site.on('request', (request, response) => {
          const chunks: Buffer[] = [];
          request.on('data', (chunk: Buffer) => chunks.push(chunk));
          request.on('end', () => {
            if (request.url === '/said') {
              resolve(JSON.parse(Buffer.concat(chunks).toString()) as string[]);
            }
            const isScript = request.url === '/page.js';
            response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
            response.end(isScript ? script : html);
          });
        });
        site.listen(0, '127.0.0.1', () => {
          const node = `http://127.0.0.1:${server.port}`;
          const query = new URLSearchParams({ node, id }).toString();
          const { port } = site.address() as AddressInfo;
          close = openInChromium(chromium ?? '', `http://127.0.0.1:${port}/?${query}`);
        });
      });
    } finally {
      site.closeAllConnections();
      site.close();
      await close?.();
    }
  }

  test(
    'says in Chromium what it finds',
    async () => {
      const [first = '', second = ''] = ids.map(toHex);
      const valid = expect.stringMatching(
        /^Valid under fork 16: [1-9]\d* inputs, \d+ ring members\.$/,
      ) as string;
      expect(await saidOf(first, second, toHex(miner), 'ab'.repeat(32))).toEqual([
        valid,
        valid,
        'A miner transaction: nothing in it is signed.',
        'The node does not know this transaction.',
      ]);
    },
    BROWSER_MS,
  );
});
