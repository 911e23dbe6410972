import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockHashingBlob, parseBlock, toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { chromium, type Browser } from 'playwright-core';
import { BUNDLERS, bundleForNode, createWebProject } from '../bundlers/bundlers.ts';
import { recordedClsag } from '../bundlers/clsag.ts';
import { recordedPayment } from '../bundlers/payment.ts';
import { CHROMIUM_FLAGS, findChromium } from '../harness/chromium.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';

const WAIT = 180_000;
const PAGE = fileURLToPath(new URL('pages/packages.page.ts', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};
/** Without these a page may not share memory with its workers, which RandomX needs. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Serves the files of a folder, the signature that the page verifies, and the payment that it finds. */
async function serve(folder: string): Promise<{ server: Server; url: string }> {
  const [port = 0] = await freePorts(1);
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname.replace(/\/$/, '/index.html');
    const file = join(folder, path);
    response.setHeaders(new Headers(ISOLATION));
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    if (path === '/clsag.json') response.end(JSON.stringify(recordedClsag()));
    else if (path === '/payment.json') response.end(JSON.stringify(recordedPayment()));
    else if (statSync(file, { throwIfNoEntry: false })?.isFile()) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));
  return { server, url: `http://${LOOPBACK}:${port}/` };
}

/** Returns all scripts of a folder as one text. */
function scriptsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

const payment = recordedPayment();
const { genesisBlob, genesisId } = NETWORKS.regtest;
const { block } = parseBlock(genesisBlob);
const blob = toHex(blockHashingBlob(block));
/** Both hashes are those of the native and the WebAssembly engine: packages/pow/src/compliance.spec.ts. */
const RANDOMX = '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f';

describeWithMonero('packages, bundled', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  const project = join(folder, 'project');
  const executablePath = findChromium();
  let browser: Browser | undefined;
  let node: RunningNode;

  beforeAll(async () => {
    if (executablePath === undefined) throw new Error('Chromium is not installed');
    await createWebProject(project, PAGE);
    node = await startOurDaemon({ extra: ['--rpc-access-control-origins', '*'] });
    browser = await chromium.launch({ executablePath, headless: true, args: [...CHROMIUM_FLAGS] });
  }, WAIT);

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, WAIT);

  test.each(BUNDLERS)(
    '%s: a page decodes, verifies, hashes, finds a payment and asks a node',
    async (name, bundle) => {
      const output = join(folder, name);
      await bundle(project, output);
      expect(scriptsBelow(output)).not.toMatch(/["'`]node:/);
      const { server, url } = await serve(output);
      try {
        const page = await browser?.newPage();
        if (page === undefined) throw new Error('no browser');
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        const query = new URLSearchParams({ blob, node: `http://${LOOPBACK}:${node.rpc.port}` });
        await page.goto(`${url}?${query.toString()}`);
        const body = page.locator('body', { hasText: '{' });
        await body.waitFor({ timeout: WAIT / 2 });
        const noNativeCode = 'this JavaScript engine loads no native code';
        expect(JSON.parse((await body.textContent()) ?? '')).toEqual({
          verify: {
            backend: 'wasm',
            fallbacks: [{ missing: 'native', reason: noNativeCode }],
            here: [true, false],
            poolBackend: 'wasm',
            inWorkers: [true, false],
          },
          hash: {
            randomx: RANDOMX,
            cryptonight: expect.stringMatching(/^[0-9a-f]{64}$/),
            reasons: [`native RandomX is not available: ${noNativeCode}`],
          },
          scan: {
            kind: 'standard',
            spendKey: expect.stringMatching(/^[0-9a-f]{64}$/),
            outputs: payment.outputs,
          },
          ask: {
            nettype: 'fakechain',
            height: 1,
            id: toHex(genesisId),
            outputs: block.minerTx.outputs.length,
          },
        });
        expect(errors).toEqual([]);
        await page.close();
      } finally {
        server.close();
      }
    },
    WAIT,
  );

  test(
    'a bundle for Node far from the packages verifies with WebAssembly, and says why',
    async () => {
      const file = join(folder, 'node-bundle.mjs');
      await bundleForNode(
        `import { createBackend, keccak256 } from '@monero-node/crypto';
        const fallbacks = [];
        const onFallback = (fallback) => fallbacks.push(fallback);
        const { name } = createBackend('auto', { onFallback });
        console.log(JSON.stringify({ name, fallbacks, bytes: keccak256(new Uint8Array(0)).length }));`,
        file,
      );
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
        cwd: folder,
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({
        name: 'wasm',
        fallbacks: [
          { missing: 'native', reason: expect.stringMatching(/is not installed$|musl$/) },
        ],
        bytes: 32,
      });
    },
    WAIT,
  );
});
