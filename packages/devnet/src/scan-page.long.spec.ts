import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { toHex } from '@monero-node/codec';
import { chromiumPath, openInChromium } from '@monero-node/rpc-client/testing';
import { build } from 'esbuild';
import { type DevNode, devAccount, devAddress, startNode } from './index.ts';

const example = (name: string) =>
  fileURLToPath(new URL(`../../../examples/scan-page/${name}`, import.meta.url));
const BROWSER_MS = 120_000;
const XMR = 10n ** 12n;

/** Fills in the form twice, so that the second time the addresses come from IndexedDB, and sends home what the page shows. */
const reporter = (fields: object, top: number) => `<script type="module">
  const form = document.querySelector('form');
  const output = document.querySelector('output');
  for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements.namedItem(name).value = value;
  const all = [];
  for (let time = 0; time < 2; time++) {
    output.value = '';
    form.requestSubmit();
    while (output.value !== 'applied ${top}') {
      if (/[A-Z]/.test(output.value)) break;
      await new Promise((go) => setTimeout(go, 20));
    }
    all.push(output.value, ...[...document.querySelectorAll('li')].map((item) => item.textContent));
  }
  await fetch('/said', { method: 'POST', body: JSON.stringify(all) });
</script>`;

/** Bundles a module for a page. Fails when something that it imports needs a module of Node. */
async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const chromium = chromiumPath();
const ifInstalled = chromium === undefined ? describe.skip : describe;
const installed =
  chromium === undefined ? ' (Chromium is not installed: set CHROMIUM to its path)' : '';

ifInstalled(`the page that finds payments${installed}`, () => {
  let net: DevNode;
  beforeAll(async () => {
    net = await startNode();
  }, BROWSER_MS);
  afterAll(() => net.stop());

  /** Serves files, and passes everything else on to the node, whose answers need no CORS then. */
  async function saidOf(files: ReadonlyMap<string, string>): Promise<string[]> {
    let close: (() => Promise<void>) | undefined;
    const site = createServer();
    try {
      return await new Promise<string[]>((resolve, reject) => {
        site.on('error', reject);
        site.on('request', (request, response) => {
          const { pathname } = new URL(request.url ?? '', 'http://site');
          const file = files.get(pathname);
          const answer = async (): Promise<void> => {
            const body = await bodyOf(request);
            if (pathname === '/said') resolve(JSON.parse(body.toString()) as string[]);
            if (request.method === 'GET' || pathname === '/said') {
              const isScript = pathname.endsWith('.js');
              response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
              response.end(file);
              return;
            }
            const passed = await fetch(`${net.rpcUrl}${pathname}`, { method: 'POST', body });
            response.end(Buffer.from(await passed.arrayBuffer()));
          };
          answer().catch(reject);
        });
        site.listen(0, '127.0.0.1', () => {
          const { port } = site.address() as AddressInfo;
          close = openInChromium(chromium ?? '', `http://127.0.0.1:${port}/`);
        });
      });
    } finally {
      site.closeAllConnections();
      site.close();
      await close?.();
    }
  }

  test(
    'says in Chromium what an account was paid',
    async () => {
      const shop = devAccount(1);
      const customer = await net.fundedAccount();
      const to = devAddress(shop, { at: { account: 1, index: 7 } });
      const paid = await net.pay({ from: customer, to, amount: 3n * XMR });
      const { height } = await net.confirm(paid, 2);
      const top = net.height - 1;
      const fields = { address: shop.address, view: toHex(shop.viewSecret), from: 0 };
      const html = readFileSync(example('index.html'), 'utf8');
      const set = `<script type="module">document.querySelector('#node').value = location.origin;</script>`;
      const files = new Map([
        ['/', html + set + reporter(fields, top)],
        ['/page.js', await bundled(example('page.mjs'))],
        ['/worker.js', await bundled('@monero-node/wallet-primitives/scan-worker/thread')],
      ]);
      const said = [`applied ${top}`, `3 XMR in block ${height}, ${toHex(paid.id)}`];
      expect(await saidOf(files)).toEqual([...said, ...said]);
    },
    BROWSER_MS,
  );
});
