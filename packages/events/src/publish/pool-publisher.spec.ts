import { EASY, genesisOf } from '@monero-node/blockchain/testing';
import { encodeTransaction, toHex } from '@monero-node/codec';
import { JetStreamApiError } from '@nats-io/jetstream';
import { headers, InvalidArgumentError, type MsgHdrs } from '@nats-io/transport-node';
import { EventEmitter } from 'node:events';
import { defaultNaming, eventNames } from '../broker/names.ts';
import { PoolPublisher, type PoolPublisherDependencies } from './pool-publisher.ts';
import { PoolQueue } from './pool-queue.ts';

const { signal } = new AbortController();
const blob = encodeTransaction(genesisOf(EASY).parsed.block.minerTx);
const LONG = new Uint8Array(32).fill(1);
const SHORT = new Uint8Array(32).fill(2);

/** Publishes to a broker, by default to one that refuses one transaction. */
function publishing(refusal: Error, broker?: KilledBroker) {
  const events = new EventEmitter();
  const queue = new PoolQueue(
    events as unknown as ConstructorParameters<typeof PoolQueue>[0],
    () => undefined,
  );
  queue.start();
  const tried: string[] = [];
  const publish = (subject: string): Promise<object> => {
    tried.push(subject.slice(-64));
    return subject.endsWith(toHex(LONG)) ? Promise.reject(refusal) : Promise.resolve({ seq: 1 });
  };
  const transaction = (id: Uint8Array) => ({
    id,
    blob,
    weight: 1,
    receiveTime: 1,
    broadcast: true,
  });
  const dependencies = {
    names: eventNames(defaultNaming('regtest')),
    queue,
    pool: { transaction },
    jetstream: broker?.jetstream ?? { publish },
    manager: broker?.manager ?? { streams: { getMessage: () => Promise.resolve(null) } },
  };
  const publisher = new PoolPublisher(
    { encoding: 'json', publisher: 'test' },
    dependencies as unknown as PoolPublisherDependencies,
  );
  return { publisher, events, tried };
}

test.each([
  ['stream', new JetStreamApiError({ code: 400, err_code: 10054, description: 'too long' })],
  ['server', InvalidArgumentError.format('payload', 'max_payload size exceeded')],
])('a transaction that is too long for the %s holds up nothing', async (_, refusal) => {
  const { publisher, events, tried } = publishing(refusal);
  for (let times = 0; times < 3; times++) {
    events.emit('published', [{ id: LONG }, { id: SHORT }]);
    await publisher.publishChanges(signal);
  }
  expect(tried.filter((key) => key === toHex(LONG))).toHaveLength(1);
  expect(tried.filter((key) => key === toHex(SHORT))).toHaveLength(3);
  expect(publisher.refusal).toBe(refusal);
  events.emit('removed', { transaction: { id: LONG, broadcast: true }, reason: 'mined' });
  await publisher.publishChanges(signal);
  expect(publisher.refusal).toBeUndefined();
});

interface Stored {
  readonly subject: string;
  readonly type: string;
  readonly id: string | undefined;
}

/**
 * A broker that keeps the last message on each subject. A server of a cluster that was killed applies its log again, and leaves out the messages that it
 * still has, as far as it knows them by their ids.
 */
class KilledBroker {
  readonly log: Stored[] = [];

  readonly jetstream = {
    publish: (
      subject: string,
      _: Uint8Array,
      { headers, msgID }: { headers: MsgHdrs; msgID?: string },
    ): Promise<object> => {
      this.log.push({ subject, type: headers.get('Monero-Type'), id: msgID });
      return Promise.resolve({ seq: this.log.length });
    },
  };

  readonly manager = {
    streams: {
      getMessage: (_: string, { last_by_subj: wanted }: { last_by_subj: string }) => {
        const at = this.log.findLastIndex(({ subject }) => subject === wanted);
        const header = headers();
        header.set('Monero-Type', this.log[at]?.type ?? '');
        return Promise.resolve(at < 0 ? null : { seq: at + 1, header, data: new Uint8Array() });
      },
    },
  };

  /** Types by subject. */
  last(): Map<string, string> {
    return new Map(this.log.map(({ subject, type }) => [subject, type]));
  }

  applyAgain(): void {
    const kept = new Map(this.log.map((message) => [message.subject, message]));
    const known = new Set([...kept.values()].flatMap(({ id }) => id ?? []));
    this.log.push(...this.log.filter(({ id }) => id === undefined || !known.has(id)));
  }
}

test('a server that applies its log again says the same of each transaction', async () => {
  const broker = new KilledBroker();
  const { publisher, events } = publishing(new Error('none'), broker);
  const removed = { transaction: { id: SHORT, broadcast: true }, reason: 'mined' };
  for (const [event, what] of [
    ['published', [{ id: SHORT }]],
    ['removed', removed],
    ['published', [{ id: SHORT }]],
    ['removed', removed],
  ] as const) {
    events.emit(event, what);
    await publisher.publishChanges(signal);
  }
  const before = broker.last();
  expect([...before.values()]).toEqual(['pool.removed']);
  expect(broker.log).toHaveLength(4);
  broker.applyAgain();
  expect(broker.last()).toEqual(before);
});
