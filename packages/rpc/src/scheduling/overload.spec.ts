import { CallScheduler, OverloadError } from './call-scheduler.ts';
import { Caller, CallerGroup } from './time-shares.ts';

/** Milliseconds that calls may wait. */
const PATIENCE = 20;
let now: number;
let group: CallerGroup;
let scheduler: CallScheduler;

beforeEach(() => {
  now = 1000;
  group = new CallerGroup({ msPerSecond: 800 }, () => now);
  scheduler = new CallScheduler(() => now);
  // The budget of the next thousand seconds is used up.
  group.charge(800_000);
});

const call = (caller: Caller, patience = PATIENCE): Promise<string> =>
  Promise.resolve(scheduler.run({ caller, patience }, () => Promise.resolve('answered')));
/** Has those that wait looked at again, as a call does that needs more than one slice. */
const wake = (): Promise<void> =>
  scheduler.begin(undefined, { caller: new Caller(group) }).yieldNow();
/** Resolves with how a call has ended. */
const endOf = (running: Promise<string>): Promise<string> =>
  running.catch((error: unknown) => {
    if (!(error instanceof OverloadError)) throw error;
    return error.isCallers ? 'the client calls too much' : 'too many calls';
  });

test('a call that waits for too long is refused', async () => {
  expect(await endOf(call(new Caller(group)))).toBe('too many calls');
  expect(scheduler.waiting).toBe(0);
});

test('of calls that wait for too long, those of a client with more than its share are its own fault', async () => {
  const greedy = new Caller(group);
  const ends = [1, 2, 3].map(() => endOf(call(greedy)));
  const modest = endOf(call(new Caller(group)));
  expect(await Promise.all([...ends, modest])).toEqual([
    ...Array<string>(3).fill('the client calls too much'),
    'too many calls',
  ]);
  // A second later it is as good as any.
  now += 1000;
  expect(await endOf(call(greedy))).toBe('too many calls');
});

test('many clients with a call each are told that there are too many', async () => {
  const ends = Array.from({ length: 20 }, () => endOf(call(new Caller(group))));
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['too many calls']));
});

test('clients behind one balancer are no greedy client', async () => {
  const balancer = new Caller(group);
  const ends = Array.from({ length: 20 }, () => endOf(call(balancer)));
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['too many calls']));
});

test('after a refusal, a client whose calls wait gets no more places, and one without does', async () => {
  const [greedy, modest] = [new Caller(group), new Caller(group)];
  await endOf(call(new Caller(group)));
  const waiting = [1, 2].map(() => call(greedy, 60_000));
  const other = call(modest, 60_000);
  expect(scheduler.waiting).toBe(3);
  // At once, without a wait: its patience has no end here.
  expect(await endOf(call(greedy, 60_000))).toBe('the client calls too much');
  expect(scheduler.waiting).toBe(3);
  // A second later, nobody is refused for what was.
  now += 1000;
  const later = call(greedy, 60_000);
  expect(scheduler.waiting).toBe(4);
  // The debt is paid, and whoever has waited is answered.
  now += 2_000_000;
  await wake();
  expect(await Promise.all([...waiting, other, later])).toEqual(Array(4).fill('answered'));
});

test('a call without patience waits without end', async () => {
  const claim = { caller: new Caller(group) };
  const patient = scheduler.run(claim, () => Promise.resolve('answered'));
  await endOf(call(new Caller(group)));
  expect(scheduler.waiting).toBe(1);
  now += 2_000_000;
  await wake();
  expect(await patient).toBe('answered');
});

test('a call that was let in in time is not refused later', async () => {
  const fresh = new CallerGroup();
  let end: () => void = () => undefined;
  const running = scheduler.run({ caller: new Caller(fresh), patience: 1 }, async (yielder) => {
    await yielder.yieldNow();
    await new Promise<void>((resolve) => (end = resolve));
    return 'answered';
  });
  // As long as a refusal takes, by another call.
  await endOf(call(new Caller(group)));
  end();
  expect(await running).toBe('answered');
});
