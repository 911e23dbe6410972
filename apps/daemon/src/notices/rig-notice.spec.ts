import { silentLogger } from '@monero-node/base';
import { RigNotice, type RigSources } from './rig-notice.ts';

const START = 1_795_225_609;
const MINUTE = 60_000;
let now: number;
let said: string[];
let alarms: (string | undefined)[][];
let rigs: ReturnType<RigSources['rigs']>;
let notice: RigNotice;
beforeEach(() => {
  now = 0;
  [said, alarms] = [[], []];
  rigs = [
    {
      name: 'rig1',
      connections: 1,
      connectedSeconds: 3600,
      accepted: 5,
      since: START,
      address: '10.0.0.7',
    },
  ];
  notice = new RigNotice({
    rigs: () => rigs,
    logger: { ...silentLogger, warn: (line) => void said.push(line) },
    now: () => now,
    unixTime: () => START + now / 1000,
    newAlarm: () => {
      const updates: (string | undefined)[] = [];
      alarms.push(updates);
      return { update: (wrong, ended) => void updates.push(wrong ?? ended) };
    },
  });
});

/** Checks as often as the daemon does. */
function pass(minutes: number): void {
  for (const end = now + minutes * MINUTE; now < end; now += 30_000) notice.check();
}

const leave = (name = 'rig1'): void => {
  rigs = rigs.map((rig) =>
    rig.name === name ? { ...rig, connections: 0, since: START + now / 1000 } : rig,
  );
};

test('a rig that is away for five minutes is missed, and said to be back', () => {
  pass(1);
  leave();
  pass(4.5);
  expect(said).toEqual([]);
  pass(2);
  expect(said).toEqual(['Rig rig1 at 10.0.0.7 has been away for 5 min 0 s.']);
  rigs = rigs.map((rig) => ({ ...rig, connections: 1 }));
  pass(2);
  expect(said.slice(1)).toEqual(['Rig rig1 is back.']);
  expect(alarms.map((updates) => updates.at(-1))).toEqual(['Rig rig1 is back.']);
});

test('a rig that starts again is not missed', () => {
  for (let i = 0; i < 10; i++) {
    leave();
    pass(4);
    rigs = rigs.map((rig) => ({ ...rig, connections: 1 }));
    pass(1);
  }
  expect(said).toEqual([]);
});

test.each([
  ['has sent no good share', { accepted: 0, connectedSeconds: 7200 }],
  ['was connected for less than an hour', { accepted: 9, connectedSeconds: 3599 }],
])('whoever %s is not missed', (_, facts) => {
  rigs = [{ name: 'stranger', connections: 0, since: START, address: '192.0.2.1', ...facts }];
  pass(60);
  expect(said).toEqual([]);
});

test('a rig is missed for a day', () => {
  leave();
  pass(3 * 24 * 60);
  // After 5 minutes, then 10 minutes later, and so on, twice as late each time.
  expect(said).toHaveLength(9);
  expect(said.at(-2)).toContain('has been away for 21 h 15 min');
  expect(said.at(-1)).toBe('Rig rig1 is no longer missed.');
  expect(alarms.map((updates) => updates.at(-1))).toEqual(['Rig rig1 is no longer missed.']);
});

test('at most 64 rigs are missed at a time', () => {
  rigs = Array.from({ length: 100 }, (_, i) => ({
    connections: 0,
    connectedSeconds: 3600,
    accepted: 1,
    since: START,
    address: '10.0.0.7',
    name: `rig${i}`,
  }));
  pass(6);
  expect(said).toHaveLength(64);
  // One that the server has forgotten makes room.
  rigs = rigs.slice(1);
  pass(1);
  expect(said.slice(64)).toEqual([
    'Rig rig0 is no longer missed.',
    expect.stringMatching(/^Rig rig64 /),
  ]);
  expect(alarms[0]?.at(-1)).toBe('Rig rig0 is no longer missed.');
});
