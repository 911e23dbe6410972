import { EASY, genesisOf } from '@monero-node/blockchain/testing';
import { encodeTransaction, toHex } from '@monero-node/codec';
import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError, type MsgHdrs } from '@nats-io/transport-node';
import { EventEmitter } from 'node:events';
import { defaultNaming, eventNames } from '../broker/names.ts';
import { PoolPublisher, type PoolPublisherDependencies } from './pool-publisher.ts';
import { PoolQueue } from './pool-queue.ts';

const { signal } = new AbortController();
const blob = encodeTransaction(genesisOf(EASY).parsed.block.minerTx);
const LONG = new Uint8Array(32).fill(1);
const SHORT = new Uint8Array(32).fill(2);

/** Publishes to a broker, by default to one that refuses one transaction. */
function publishing(refusal: Error, broker?: KilledBroker, chain?: () => object) {
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
    get chain() {
      return chain?.();
    },
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
  readonly headers: MsgHdrs;
  readonly data: Uint8Array;
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
      data: Uint8Array,
      { headers, msgID }: { headers: MsgHdrs; msgID?: string },
    ): Promise<object> => {
      this.log.push({ subject, type: headers.get('Monero-Type'), headers, data, id: msgID });
      return Promise.resolve({ seq: this.log.length });
    },
  };

  readonly manager = {
    streams: {
      getMessage: (_: string, { last_by_subj: wanted }: { last_by_subj: string }) => {
        const at = this.log.findLastIndex(({ subject }) => subject === wanted);
        const last = this.log[at];
        return Promise.resolve(last && { seq: at + 1, header: last.headers, data: last.data });
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

/** A chain of blocks that each have a difficulty of 1. */
const chainOf = (height: number, branch = 0): object => ({
  height,
  difficultyOf: () => 1n,
  top: {
    id: new Uint8Array(32).fill(height + 100 * branch),
    height: height - 1,
    timestamp: 1,
    cumulativeDifficulty: BigInt(height),
    generatedCoins: 1n,
    cumulativeTxCount: 1,
    cumulativeRctOutputs: 1,
  },
});

test('the figures of a node that is behind, or on another branch of as much work, are not published', async () => {
  const broker = new KilledBroker();
  let [first, second] = [chainOf(5), chainOf(6)];
  const [one, two] = [() => first, () => second].map(
    (chain) => publishing(new Error('none'), broker, chain).publisher,
  );
  const heights = () =>
    broker.log.map(
      ({ data }) => (JSON.parse(new TextDecoder().decode(data)) as { height: number }).height,
    );
  await one?.publishCounters();
  await two?.publishCounters();
  // It has not seen its own figures overtaken, and has another top now.
  first = chainOf(5, 1);
  await one?.publishCounters();
  first = chainOf(6, 1);
  await one?.publishCounters();
  expect(heights()).toEqual([5, 6]);
  first = chainOf(7, 1);
  await one?.publishCounters();
  second = chainOf(7, 1);
  await two?.publishCounters();
  expect(heights()).toEqual([5, 6, 7]);
});
