/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { until } from '@monero-node/base/testing';
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { jest } from '@jest/globals';
import { defaultNaming } from './broker/names.ts';
import { EventStream } from './consume/event-stream.ts';
import { freePort } from './testing/nats-cluster.ts';
import { describeWithNats, NatsServer } from './testing/nats-server.ts';
import { Lines, MemoryHandler, Publishing } from './testing/publishing.ts';

/** Milliseconds for what takes a few seconds on a machine that does nothing else. */
const PATIENCE = 60_000;
jest.setTimeout(4 * PATIENCE);

let ends: (() => Promise<unknown>)[];
let hub: NatsServer;
let leaf: NatsServer;
let hubText: string;

/** Returns what the documentation has in a block of code after a word. */
function documented(word: string): string {
  const page = readFileSync(new URL('../../../docs/operating/events.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n### A broker in between\n(.*?)\n### /s.exec(page) ?? [];
  const [, text = ''] = new RegExp(`${word}.*?\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(section) ?? [];
  expect(text).not.toBe('');
  return text;
}

beforeEach(async () => {
  ends = [];
  [hub, leaf] = [new NatsServer(), new NatsServer()];
  ends.push(() => Promise.all([hub.remove(), leaf.remove()]));
  const port = await freePort();
  const of = (text: string, server: NatsServer): string =>
    text
      .replace(/^listen:.*\n/m, '')
      .replace(/"\/var\/lib\/nats"/, `"${server.folder}"`)
      .replace(/(?:0\.0\.0\.0|hub\.example\.com):7422/, `127.0.0.1:${port}`);
  hubText = of(documented('At the hub'), hub);
  await hub.run(hubText);
  await leaf.run(of(documented('Beside the nodes'), leaf));
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

/** Makes the mirrors of the documentation at the hub. */
async function mirror(): Promise<void> {
  const connection = await hub.connect();
  const manager = await jetstreamManager(connection, { checkAPI: false });
  for (const [, json = ''] of documented('The mirrors').matchAll(/(\{.*\})/g)) {
    const config: unknown = JSON.parse(json);
    await manager.streams.add(config as StreamConfig & { name: string });
  }
  await connection.close();
}

async function following() {
  const connection = await hub.connect();
  ends.push(() => connection.close());
  const handler = new MemoryHandler();
  const { logger } = new Lines();
  let figures = 0;
  const pool = {
    reset: () => Promise.resolve(),
    added: () => Promise.resolve(),
    removed: () => Promise.resolve(),
    counters: () => Promise.resolve(void figures++),
  };
  const stream = new EventStream(defaultNaming('regtest'), { connection, handler, pool, logger });
  ends.push(() => stream.stop());
  await stream.start();
  return { handler, hasFigures: () => figures > 0 };
}

describeWithNats('a hub with mirrors of a leaf of another domain', () => {
  test('is followed as the leaf would be, with older blocks from the node, also after it was away', async () => {
    const node = await Publishing.start({ server: leaf.url, from: 4 }, 6, 0);
    ends.push(() => node.stop());
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await mirror();
    const { handler, hasFigures } = await following();
    await until(() => handler.height === 6 && hasFigures(), PATIENCE);
    // The stream begins with block 4.
    expect(handler.positions.map(({ height }) => height)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    await node.reorganize(2, 1);
    await until(() => handler.height === 7, PATIENCE);
    await hub.stop();
    await node.mine(5);
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await hub.run(hubText);
    await until(() => handler.height === 12, PATIENCE);
    expect(node.lines.with('not published')).toEqual([]);
  });
});
