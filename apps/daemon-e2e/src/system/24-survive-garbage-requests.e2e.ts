import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { ourDataWithChain, SYNC_TIMEOUT } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { Random } from '../recorder/random.ts';
import { binaryRequests } from '../replay/binary-requests.ts';
import { chainSample } from '../replay/chain-sample.ts';
import { FIELD_REQUESTS } from '../replay/field-requests.ts';
import { garbage, garblable } from '../replay/garbage.ts';
import { HTTP_REQUESTS } from '../replay/http-requests.ts';
import { JSON_REQUESTS } from '../replay/json-requests.ts';
import { methodRequests } from '../replay/method-requests.ts';
import { exchange } from '../replay/raw-http.ts';

const REQUESTS = 10_000;
/** Number of requests before memory is first measured. By then all code has been compiled. */
const WARM_UP = 4000;
const AT_A_TIME = 24;
/** Milliseconds to wait for an answer. A corrupted request may announce more bytes than it has. */
const PATIENCE_MS = 150;
/** Allowed growth in bytes after the warm-up: less than 11 KiB per request. */
const ALLOWED_GROWTH = 64 * 1024 * 1024;

const residentBytes = (node: RunningNode): number =>
  Number(
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${node.process.pid}/status`, 'latin1'))?.[1],
  ) * 1024;

describeWithMonero('ten thousand garbage requests', () => {
  let node: RunningNode;
  let ports: readonly number[];

  beforeAll(async () => {
    const { folder } = await ourDataWithChain();
    const [restricted = 0] = await freePorts(1);
    node = await startOurDaemon({
      dataDir: folder,
      offline: true,
      extra: [
        ...['--rpc-restricted-bind-port', String(restricted), '--disable-rpc-ban'],
        ...['--rpc-max-connections-per-private-ip', '100'],
      ],
    });
    ports = [node.rpc.port, restricted];
  }, SYNC_TIMEOUT + 60_000);

  afterAll(() => node.stop());

  test('leave the node serving and its memory flat', async () => {
    const sample = chainSample();
    const good = garblable([
      ...[...HTTP_REQUESTS, ...JSON_REQUESTS, ...FIELD_REQUESTS],
      ...methodRequests(sample, chainFacts().wallets[0]?.address ?? ''),
      ...binaryRequests(sample),
    ]);
    // RandomX allocates its cache of 256 MiB for the first hash and keeps it.
    await node.rpc.call('get_block_header_by_height', { height: 1, fill_pow_hash: true });
    const before = await node.tip();
    const random = new Random(20);
    const outcomes = { answered: 0, closed: 0, silent: 0 };
    let warm = 0;
    for (let sent = 0; sent < REQUESTS; sent += AT_A_TIME) {
      const batch = Array.from({ length: Math.min(AT_A_TIME, REQUESTS - sent) }, () =>
        exchange(random.choice(ports), garbage(random, good), { patience: PATIENCE_MS }),
      );
      for (const { outcome } of await Promise.all(batch)) outcomes[outcome]++;
      if (sent % (AT_A_TIME * 40) === 0) expect(await node.tip()).toEqual(before);
      if (sent < WARM_UP) warm = residentBytes(node);
    }
    expect(outcomes.answered + outcomes.closed + outcomes.silent).toBe(REQUESTS);
    // Most requests are well-formed enough for an answer, and many are not.
    expect(outcomes.answered).toBeGreaterThan(REQUESTS / 2);
    expect(outcomes.closed).toBeGreaterThan(REQUESTS / 100);
    expect(node.process.running).toBe(true);
    expect(await node.tip()).toEqual(before);
    expect(residentBytes(node) - warm).toBeLessThan(ALLOWED_GROWTH);
    expect(node.process.output()).not.toMatch(/unhandled|ERROR/i);
    process.stderr.write(
      `garbage: ${JSON.stringify(outcomes)}, ${warm >> 20} to ${residentBytes(node) >> 20} MiB\n`,
    );
  }, 300_000);
});
