import type { JetStreamClient } from '@nats-io/jetstream';
import type { EntryFacts } from '../broker/entry-facts.ts';
import { LogAppender, StreamMovedError } from './log-appender.ts';

interface Sent {
  readonly msgID: string;
  readonly lastSequence: number;
  acknowledge(sequence: number): void;
}

/** A broker that remembers what was published and acknowledges on demand. */
function fakeBroker(): { jetstream: JetStreamClient; sent: Sent[] } {
  const sent: Sent[] = [];
  const publish = (
    _: string,
    __: Uint8Array,
    { msgID, expect: { lastSequence } }: { msgID: string; expect: { lastSequence: number } },
  ) =>
    new Promise((resolve) => {
      sent.push({ msgID, lastSequence, acknowledge: (seq) => resolve({ seq }) });
    });
  return { jetstream: { publish } as unknown as JetStreamClient, sent };
}

const facts: Omit<EntryFacts, 'part' | 'parts'> = {
  type: 'block.added',
  encoding: 'json',
  height: 1,
  id: 'aa',
  previous: 'bb',
  difficulty: 1n,
  cumulativeDifficulty: 2n,
};
const options = { subject: 's', lastSequence: 4, partBytes: 2 };

test('each part says which sequence it follows, and its id is made of that', async () => {
  const { jetstream, sent } = fakeBroker();
  const log = new LogAppender(options, { jetstream });
  await log.append(facts, Uint8Array.of(1, 2, 3));
  expect(sent).toMatchObject([
    { msgID: '4.a.aa.0', lastSequence: 4 },
    { msgID: '5.a.aa.1', lastSequence: 5 },
  ]);
  for (const [i, message] of sent.entries()) message.acknowledge(5 + i);
  await log.settle();
});

test('another sequence than expected fails all that follows', async () => {
  const { jetstream, sent } = fakeBroker();
  const log = new LogAppender(options, { jetstream });
  await log.append(facts, Uint8Array.of(1));
  sent[0]?.acknowledge(9);
  await expect(log.settle()).rejects.toThrow(StreamMovedError);
  await expect(log.append(facts, Uint8Array.of(1))).rejects.toThrow(StreamMovedError);
});

test('at most 256 messages wait for their acknowledgement', async () => {
  const { jetstream, sent } = fakeBroker();
  const log = new LogAppender(options, { jetstream });
  let appended = 0;
  const all = (async () => {
    for (let i = 0; i < 300; i++) {
      await log.append(facts, Uint8Array.of(1));
      appended++;
    }
  })();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect([sent.length, appended]).toEqual([256, 256]);
  for (let i = 0; i < 300; i++) {
    sent[i]?.acknowledge(5 + i);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  await log.settle();
  expect(sent).toHaveLength(300);
});
