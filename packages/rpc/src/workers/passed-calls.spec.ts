import { silentLogger } from '@monero-node/base';
import type { AppParts } from '../gateway/app-parts.ts';
import { DEFAULT_CLIENT_LIMITS } from '../gateway/connections/connection.ts';
import { ConnectionCounter } from '../gateway/connections/connection-limits.ts';
import { PageServer } from '../gateway/page-reply.ts';
import { createPortBudgets } from '../gateway/limits/port-budgets.ts';
import { ResponseCache } from '../gateway/answers/response-cache.ts';
import { resolveDependencies } from '../dependencies.ts';
import type { RpcMethod } from '../method.ts';
import type { WebPage } from '../page/web-page.ts';
import { CallScheduler } from '../scheduling/call-scheduler.ts';
import { createPortShares } from '../scheduling/port-shares.ts';
import { createServices } from '../services.ts';
import { madeUpChain, madeUpId } from '../testing/made-up-chain.ts';
import { madeUpPage } from '../testing/made-up-page.ts';
import { onceTrue } from '../testing/rounds.ts';
import type { PassedCall, ToWorker } from './channel.ts';
import { PassedCalls } from './passed-calls.ts';

const BROWSERS = { corsOrigins: [], hosts: undefined, pageHosts: [], hasOwnPage: true };
const LIMITS = { perPublicIp: 3, perPrivateIp: 25, total: 100 };

let rounds: number;
let hasEnded: boolean;
/** A call that goes on until it is given up. */
const ENDLESS = {
  name: 'endless',
  request: { kind: 'object', table: { fields: {} } },
  call: async (_read: unknown, { yielder }: Parameters<RpcMethod['call']>[1]) => {
    try {
      for (;;) {
        rounds++;
        await yielder.yieldNow();
      }
    } finally {
      hasEnded = true;
    }
  },
} as unknown as RpcMethod;

/** The calls of a worker, and what the main process has sent it. */
function setUp(): { calls: PassedCalls; sent: ToWorker[]; page: WebPage; parts: AppParts } {
  const blockchain = madeUpChain({
    height: 3,
    metaOf: (height) => ({ id: madeUpId(height) }),
    store: {},
  });
  const services = createServices(resolveDependencies({ blockchain, logger: silentLogger }));
  const page = madeUpPage();
  const parts: AppParts = {
    services,
    restricted: false,
    browsers: BROWSERS,
    login: undefined,
    clientLimits: DEFAULT_CLIENT_LIMITS,
    routes: {
      jsonPaths: new Map([['/endless', ENDLESS]]),
      binaryPaths: new Map(),
      names: new Map(),
    },
    page: new PageServer({ page, view: 'owner', browsers: BROWSERS }),
    budgets: createPortBudgets(createPortShares().owner, false),
    steady: new ResponseCache(services),
    scheduler: new CallScheduler(),
    connections: new ConnectionCounter(LIMITS),
    onCall: () => undefined,
    hostFailed: () => undefined,
  };
  const sent: ToWorker[] = [];
  const calls = new PassedCalls({
    ports: () => parts,
    send: (message) => sent.push(message),
    settled: () => Promise.resolve(),
  });
  return { calls, sent, page, parts };
}

const request = (url: string, verb: string): PassedCall => ({
  port: 'main',
  verb,
  url,
  headers: {},
  body: Buffer.from('{}'),
  address: '127.0.0.1',
  fromForeignPage: false,
  isForPage: url === '/page/events',
});

beforeEach(() => {
  rounds = 0;
  hasEnded = false;
});

test('the work for a client of a worker ends when it has left', async () => {
  const { calls, parts, sent } = setUp();
  calls.take({ kind: 'call', call: 1, request: request('/endless', 'POST') });
  await onceTrue(() => rounds > 2);
  expect(parts.budgets.admission.running).toBe(1);
  calls.take({ kind: 'abandon', call: 1 });
  await onceTrue(() => hasEnded && parts.budgets.admission.running === 0);
  await onceTrue(() => sent.length === 1);
  expect(sent).toEqual([{ kind: 'reply', call: 1, reply: undefined }]);
});

test('an event stream ends with its client before anything of it is asked for', async () => {
  const { calls, page } = setUp();
  const { owner } = page.events;
  calls.take({ kind: 'call', call: 1, request: request('/page/events', 'GET') });
  expect(owner.isWatched).toBe(true);
  calls.take({ kind: 'abandon', call: 1 });
  expect(owner.isWatched).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(owner.isWatched).toBe(false);
});
