import { jest } from '@jest/globals';
import { decodeMessage } from '@monero-node/codec';
import { COMMANDS } from './messages/commands.ts';
import { NEW_TRANSACTIONS } from './messages/transactions.ts';
import { RawTalk } from './testing/raw-talk.ts';

jest.setTimeout(30_000);

const talk = new RawTalk();
afterEach(() => talk.stop());

const START = 1_700_000_000_000;

test('setting the clock ends no ban, and connections keep their age', async () => {
  const time = { now: START, elapsed: 50_000 };
  const clocks = { now: () => time.now, elapsed: () => time.elapsed };
  const test = await talk.nodes.start({}, clocks);
  await talk.friend(test);
  test.node.ban('8.8.4.4', 1_000);
  time.elapsed += 10_000;
  for (const hours of [1, -2]) {
    time.now += hours * 3_600_000;
    expect(test.node.banned('8.8.4.4')).toBe(990);
    expect(test.node.connections()[0]).toMatchObject({ liveTime: 10, recvIdleTime: 10 });
  }
  expect(test.node.netStats.startTime).toBe(START / 1000);
});

test('a clock that is set back holds no relay', async () => {
  let now = START;
  const test = await talk.nodes.start(
    {},
    { now: () => now, elapsed: () => performance.now(), secureRandom: () => 0.01 },
  );
  const peer = await talk.friend(test);
  const blob = Uint8Array.of(1, 2, 3);
  test.node.relayTransactions({
    transactions: [{ id: new Uint8Array(32), blob }],
    method: 'fluff',
  });
  now -= 3_600_000;
  const { body } = await peer.next(COMMANDS.newTransactions);
  expect(decodeMessage(NEW_TRANSACTIONS, body).txs).toEqual([blob]);
});
