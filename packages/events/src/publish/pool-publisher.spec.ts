import { EASY, genesisOf } from '@monero-node/blockchain/testing';
import { encodeTransaction, toHex } from '@monero-node/codec';
import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError } from '@nats-io/transport-node';
import { EventEmitter } from 'node:events';
import { defaultNaming, eventNames } from '../broker/names.ts';
import { PoolPublisher, type PoolPublisherDependencies } from './pool-publisher.ts';
import { PoolQueue } from './pool-queue.ts';

const { signal } = new AbortController();
const blob = encodeTransaction(genesisOf(EASY).parsed.block.minerTx);
const LONG = new Uint8Array(32).fill(1);
const SHORT = new Uint8Array(32).fill(2);

/** Publishes to a broker that refuses one transaction. */
function publishing(refusal: Error) {
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
    jetstream: { publish },
    manager: { streams: { getMessage: () => Promise.resolve(null) } },
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
