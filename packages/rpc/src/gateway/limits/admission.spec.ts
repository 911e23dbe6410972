import { Caller, CallerGroup } from '../../scheduling/time-shares.ts';
import { OverloadError } from '../../scheduling/call-scheduler.ts';
import { AbandonedCallError, Admission } from './admission.ts';
import { LongCallSlot } from './long-call-slot.ts';

const here = (): boolean => false;

function setUp(hosts: number): { admission: Admission; callers: Caller[]; begun: string[] } {
  const group = new CallerGroup();
  const callers = Array.from({ length: hosts }, () => new Caller(group));
  return { admission: new Admission(), callers, begun: [] };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('four long calls of two hosts run at a time, the next begins when one ends', async () => {
  const { admission, callers, begun } = setUp(2);
  const [a, b] = callers as [Caller, Caller];
  for (const [name, caller] of Object.entries({ a1: a, a2: a, b1: b, b2: b, a3: a, b3: b })) {
    const wait = admission.enter(caller, here);
    if (wait === undefined) begun.push(name);
    else void wait.then(() => begun.push(name));
  }
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  admission.leave(a);
  await settled();
  // The last free slot is for a host that has none.
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect(admission.running).toBe(3);
});

test('a host with 24 long calls leaves a slot to another, and is asked last', async () => {
  const { admission, callers, begun } = setUp(3);
  const [attacker, one, other] = callers as [Caller, Caller, Caller];
  for (let i = 0; i < 24; i++)
    void admission.enter(attacker, here)?.then(() => begun.push('heavy'));
  expect(admission.running).toBe(3);
  expect(admission.enter(one, here)).toBeUndefined();
  expect(admission.running).toBe(4);
  attacker.charge(1000);
  void admission.enter(other, here)?.then(() => begun.push('light'));
  admission.leave(attacker);
  await settled();
  expect(begun).toEqual(['light']);
});

test('calls whose client has left do not stay in the queue', async () => {
  const { admission, callers } = setUp(1);
  const [caller] = callers as [Caller];
  for (let i = 0; i < 3; i++) expect(admission.enter(caller, here)).toBeUndefined();
  const failures: unknown[] = [];
  for (let i = 0; i < 1000; i++) {
    let gone = false;
    admission.enter(caller, () => gone)?.catch((error: unknown) => failures.push(error));
    gone = true;
  }
  expect(admission.waiting).toBe(1);
  await settled();
  expect(failures).toHaveLength(999);
  expect(failures[0]).toBeInstanceOf(AbandonedCallError);
});

test('a call that waits too long for its first slot is refused', async () => {
  const { admission, callers } = setUp(2);
  const [greedy, other] = callers as [Caller, Caller];
  const endOf = (wait: Promise<void> | undefined) =>
    wait?.catch((error: unknown) => error) ?? 'at once';
  for (let i = 0; i < 3; i++) expect(admission.enter(greedy, here)).toBeUndefined();
  expect(await endOf(admission.enter(greedy, here, 5))).toMatchObject({ isCallers: false });
  expect(admission.enter(other, here)).toBeUndefined();
  const refused = await endOf(admission.enter(greedy, here, 5));
  expect(refused).toBeInstanceOf(OverloadError);
  expect(refused).toMatchObject({ isCallers: true });
  expect(admission.waiting).toBe(0);
  // One that was let in in time is not refused later.
  const inTime = admission.enter(greedy, here, 5);
  admission.leave(greedy);
  admission.leave(greedy);
  expect(await inTime).toBeUndefined();
});

test('a slot is taken once, given back once, and not taken after the end', async () => {
  const { admission, callers } = setUp(1);
  const [caller] = callers as [Caller];
  const slot = new LongCallSlot(admission, caller, here);
  expect(slot.enter()).toBeUndefined();
  expect(slot.enter()).toBeUndefined();
  expect(admission.running).toBe(1);
  slot.end();
  slot.end();
  expect(slot.enter()).toBeUndefined();
  expect(admission.running).toBe(0);
});

test('a slot that is granted after the end of its call is given back', async () => {
  const { admission, callers } = setUp(1);
  const [caller] = callers as [Caller];
  const first = Array.from({ length: 3 }, () => new LongCallSlot(admission, caller, here));
  for (const slot of first) expect(slot.enter()).toBeUndefined();
  const late = new LongCallSlot(admission, caller, here);
  const wait = late.enter();
  late.end();
  for (const slot of first) slot.end();
  await wait;
  expect(admission.running).toBe(0);
});

test('a call whose client has left goes no further', async () => {
  const { admission, callers } = setUp(1);
  let gone = false;
  const slot = new LongCallSlot(admission, callers[0] as Caller, () => gone);
  expect(slot.enter()).toBeUndefined();
  gone = true;
  await expect(slot.enter()).rejects.toThrow(AbandonedCallError);
  slot.end();
  expect(admission.running).toBe(0);
});
