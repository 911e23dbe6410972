import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  CHECK_LOGIN,
  chromiumPath,
  openInChromium,
  runClientChecks,
  type CheckedServers,
  type CheckOutcome,
} from '@monero-node/rpc-client/testing';
import { build } from 'esbuild';
import { recordedPool, recordedServer, type RecordedServer } from '../testing/index.ts';

const PAGE = fileURLToPath(new URL('../../../rpc-client/src/testing/page.ts', import.meta.url));
const BROWSER_MS = 60_000;

let open: RecordedServer;
let locked: RecordedServer;
let servers: CheckedServers;
beforeAll(async () => {
  const corsOrigins = ['*'];
  open = await recordedServer({ corsOrigins }, { pool: recordedPool() });
  locked = await recordedServer({ corsOrigins, login: CHECK_LOGIN });
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  servers = { url: url(open.port), loginUrl: url(locked.port), deadUrl: url(1) };
});
afterAll(async () => {
  await open.stop();
  await locked.stop();
});

test('the client passes its checks over fetch in Node', async () => {
  expect(failuresIn(await runClientChecks(servers))).toEqual([]);
});

const chromium = chromiumPath();
const ifInstalled = chromium === undefined ? test.skip : test;

ifInstalled(
  `the client passes its checks in Chromium${chromium === undefined ? ' (not installed: set CHROMIUM to its path)' : ''}`,
  async () => {
    const outcomes = await outcomesFrom(chromium ?? '', servers);
    expect(outcomes.length).toBeGreaterThan(5);
    expect(failuresIn(outcomes)).toEqual([]);
  },
  BROWSER_MS,
);

const failuresIn = (outcomes: readonly CheckOutcome[]): readonly CheckOutcome[] =>
  outcomes.filter(({ failure }) => failure !== undefined);

/** Serves a page that runs the checks, opens it and waits for its outcomes. */
async function outcomesFrom(path: string, checked: CheckedServers): Promise<CheckOutcome[]> {
  const script = await bundle();
  let server: Server | undefined;
  let close: (() => Promise<void>) | undefined;
  try {
    return await new Promise<CheckOutcome[]>((resolve, reject) => {
      server = createServer((request, response) => {
        if (request.url === '/outcomes') {
          const chunks: Buffer[] = [];
          request.on('data', (chunk: Buffer) => chunks.push(chunk));
          request.on('end', () => {
            response.end();
            resolve(JSON.parse(Buffer.concat(chunks).toString()) as CheckOutcome[]);
          });
          return;
        }
        const isScript = request.url === '/script.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? script : '<script type="module" src="/script.js"></script>');
      });
      server.on('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const { port } = server?.address() as AddressInfo;
        const query = new URLSearchParams({ ...checked }).toString();
        close = openInChromium(path, `http://127.0.0.1:${port}/?${query}`);
      });
    });
  } finally {
    server?.closeAllConnections();
    server?.close();
    await close?.();
  }
}

/** Fails when the client needs a module that browsers do not have. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@monero-node/source'],
  });
  return outputFiles[0]?.text ?? '';
}
