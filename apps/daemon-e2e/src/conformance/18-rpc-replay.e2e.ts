import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import type { AllowedDifference } from '../harness/allowed-difference.ts';
import { isAboutInstalled } from '../harness/allowed-differences.ts';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import {
  monerodDataWithChain,
  ourDataWithChain,
  SYNC_TIMEOUT,
} from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { binaryRequests } from '../replay/binary-requests.ts';
import { chainSample } from '../replay/chain-sample.ts';
import { excuseFor, isClockDifference, mismatches } from '../replay/compare.ts';
import { FIELD_REQUESTS } from '../replay/field-requests.ts';
import { HTTP_REQUESTS } from '../replay/http-requests.ts';
import { JSON_REQUESTS } from '../replay/json-requests.ts';
import { methodRequests } from '../replay/method-requests.ts';
import { poolRequests } from '../replay/method-requests/pool.ts';
import { askAll } from '../replay/ask-all.ts';
import { askMonerod } from '../replay/ask-monerod.ts';
import { exchange, IMPATIENT, UNHURRIED, type ExchangeOptions } from '../replay/raw-http.ts';
import type { Listener, ReplayRequest } from '../replay/request.ts';

const sample = chainSample();
const address = chainFacts().wallets[0]?.address ?? '';
/** Groups of requests, in order; the last ones change the chain. */
const GROUPS: readonly [name: string, requests: readonly ReplayRequest[]][] = [
  ['HTTP', HTTP_REQUESTS],
  ['JSON and JSON-RPC', JSON_REQUESTS],
  ['fields of the wrong type', FIELD_REQUESTS],
  ['methods and paths', methodRequests(sample, address)],
  ['binary paths', binaryRequests(sample)],
  ['the pool', poolRequests(sample)],
];

type Ports = Readonly<Record<Listener, number>>;

/** Resolves when a second of the clock begins. */
const nextSecond = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));

describeWithMonero('both daemons return the same answer to every request', () => {
  const nodes: RunningNode[] = [];
  let ours: Ports;
  let theirs: Ports;
  const used = new Set<AllowedDifference>();

  beforeAll(async () => {
    const [first = 0, second = 0] = await freePorts(2);
    const extra = (port: number): string[] => ['--rpc-restricted-bind-port', String(port)];
    const monerod = await startMonerod({
      dataDir: await monerodDataWithChain(),
      offline: true,
      extra: extra(first),
    });
    const { folder } = await ourDataWithChain();
    const mine = await startOurDaemon({
      dataDir: folder,
      offline: true,
      extra: [...extra(second), '--disable-rpc-ban'],
    });
    nodes.push(mine, monerod);
    theirs = { main: monerod.rpc.port, restricted: first };
    ours = { main: mine.rpc.port, restricted: second };
  }, SYNC_TIMEOUT + 200_000);

  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  /** Sends a request to the same listener of both nodes; returns the differences that are not allowed. */
  async function unexplained(request: ReplayRequest, listener: Listener): Promise<unknown[]> {
    if (request.inOneSecond === true) await nextSecond();
    const options = {
      ...(request.open === true ? IMPATIENT : {}),
      ...(request.bodyless === true ? { bodyless: true } : {}),
    };
    const ask = (how: ExchangeOptions) =>
      Promise.all([
        exchange(ours[listener], request.bytes, how),
        askMonerod(theirs[listener], request, how),
      ]);
    let [mine, other] = await ask(options);
    if (mine.closedAfter !== other.closedAfter)
      [mine, other] = await ask({ ...options, ...UNHURRIED });
    const found = mismatches(mine, other, request.bodyless).filter((mismatch) => {
      if (isClockDifference(request, mismatch)) return false;
      const excuse = excuseFor(request, listener, mismatch);
      if (excuse !== undefined) used.add(excuse);
      return excuse === undefined;
    });
    return found.slice(0, 6).map((mismatch) => ({
      asked: `${listener}: ${request.name}`,
      ...mismatch,
      ours: mismatch.ours?.slice(0, 300),
      theirs: mismatch.theirs?.slice(0, 300),
    }));
  }

  for (const [name, requests] of GROUPS) {
    test(`${name}: ${requests.length} requests`, async () => {
      const found = await askAll(requests, unexplained);
      expect(found.flat()).toEqual([]);
    }, 360_000);
  }

  test('uses every allowed difference, in many requests', () => {
    const unseen = ALLOWED_DIFFERENCES.filter(
      (rule) => rule.kind === 'deliberate' && isAboutInstalled(rule) && !used.has(rule),
    );
    expect(unseen).toEqual([]);
    expect(GROUPS.flatMap(([, requests]) => requests).length).toBeGreaterThan(1000);
  });

  test('stop_daemon stops both daemons', async () => {
    const request = Buffer.from('POST /stop_daemon HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}');
    const [mine, other] = await Promise.all(
      [ours, theirs].map((ports) => exchange(ports.main, request)),
    );
    if (mine === undefined || other === undefined) throw new Error('no answers');
    expect(mine.statusLine).toBe(other.statusLine);
    expect(mine.body).toEqual(other.body);
  });
});
