import { settle } from '@monero-node/base/testing';
import type { Host, WorkClient } from '../types.ts';
import { WorkDeclinedError, WorkQueue } from './work-queue.ts';

/** A queue whose work ends when it is told to, in the order in which it began. */
function setUp(limits: { places?: number; perHost?: number; waiting?: number } = {}) {
  const bad = new Map<Host, number>();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new WorkQueue({
    places: 1,
    perHost: 4,
    waiting: 8,
    ...limits,
    badness: (host) => bad.get(host) ?? 0,
  });
  const outcomes = new Map<string, string>();
  const offer = (name: string, client?: WorkClient): void => {
    const work = (): Promise<void> => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    };
    queue.run(client, work).then(
      () => outcomes.set(name, 'done'),
      (error: unknown) =>
        outcomes.set(name, error instanceof WorkDeclinedError ? error.code : String(error)),
    );
  };
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    await settle();
  };
  return { queue, bad, begun, outcomes, offer, endNext };
}

test('work whose client has left is never begun', async () => {
  const { queue, begun, outcomes, offer, endNext } = setUp({ perHost: 200, waiting: 200 });
  let isGone = false;
  offer('first');
  for (let i = 0; i < 140; i++) offer(`${i}`, { host: 'attacker', isGone: () => isGone });
  offer('honest', { host: 'honest' });
  await settle();
  isGone = true;
  await endNext();
  expect(begun).toEqual(['first', 'honest']);
  expect(outcomes.get('0')).toBe('gone');
  expect(outcomes.get('139')).toBe('gone');
  expect(queue.waiting).toBe(0);
});

test('a host has a bounded number of pieces, and the others wait behind the pieces of other hosts', async () => {
  const { begun, outcomes, offer, endNext } = setUp({ perHost: 3 });
  for (let i = 0; i < 5; i++) offer(`a${i}`, { host: 'a' });
  offer('b', { host: 'b' });
  await settle();
  expect(outcomes.get('a3')).toBe('busy');
  expect(outcomes.get('a4')).toBe('busy');
  await endNext();
  expect(begun).toEqual(['a0', 'b']);
});

test('hosts whose work was bad wait for all others, and go first when the queue is full', async () => {
  const { bad, begun, outcomes, offer, endNext } = setUp({ waiting: 2 });
  bad.set('bad', 1);
  offer('first', { host: 'x' });
  offer('bad 1', { host: 'bad' });
  offer('bad 2', { host: 'bad' });
  await settle();
  offer('good', { host: 'good' });
  await settle();
  expect(outcomes.get('bad 2')).toBe('busy');
  offer('bad 3', { host: 'bad' });
  await settle();
  expect(outcomes.get('bad 3')).toBe('busy');
  await endNext();
  expect(begun).toEqual(['first', 'good']);
});

test('work of the owner goes before that of strangers who came first, and ends when the owner leaves', async () => {
  const { begun, outcomes, offer, endNext } = setUp();
  let isGone = false;
  offer('first', { host: 'x' });
  offer('second', { host: 'y' });
  offer('left', { host: {}, isOwner: true, isGone: () => isGone });
  offer('owner', { host: {}, isOwner: true });
  await settle();
  isGone = true;
  await endNext();
  expect(begun).toEqual(['first', 'owner']);
  expect(outcomes.get('left')).toBe('gone');
});

test('work of this node is not bounded by a host and goes before that of strangers', async () => {
  const { begun, outcomes, offer, endNext } = setUp({ waiting: 1, perHost: 1 });
  offer('a', { host: 'a' });
  offer('b', { host: 'b' });
  for (let i = 0; i < 3; i++) offer(`own ${i}`);
  await settle();
  for (let i = 0; i < 3; i++) await endNext();
  expect(begun).toEqual(['a', 'own 0', 'own 1', 'own 2']);
  expect(outcomes.get('b')).toBeUndefined();
});
