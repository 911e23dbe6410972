import { ALERT_KINDS, alertJson, type Alert, type AlertKind } from './alert.ts';
import { Alerts, REMINDER_MS } from './alerts.ts';

const START = 1_795_225_609;
let now: number;
let told: Alert[];
let alerts: Alerts;
beforeEach(() => {
  now = 0;
  told = [];
  alerts = new Alerts({ now: () => now, unixTime: () => START + now / 1000 });
  alerts.on('alert', (alert: Alert) => void told.push(alert));
});

const states = (): string[] => told.map(({ state, message }) => `${state} ${message}`);

test('what lasts is told when it begins, once an hour, and when it has ended', () => {
  const alarm = alerts.alarm('no-peers');
  alarm.update(undefined, 'over');
  for (; now < 2.5 * REMINDER_MS; now += 30_000) alarm.update(`wrong at ${now / 60_000}`, 'over');
  alarm.update(undefined, 'over');
  alarm.update(undefined, 'over');
  expect(states()).toEqual([
    'begins wrong at 0',
    'lasts wrong at 60',
    'lasts wrong at 120',
    'ended over',
  ]);
  const [first] = told;
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set([first?.id]));
  expect(told.map(({ since, time }) => [since - START, time - START])).toEqual([
    [0, 0],
    [0, 3600],
    [0, 7200],
    [0, 9000],
  ]);
  expect(told.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning', 'info']);
});

test('it begins anew with another id, also within an hour', () => {
  const alarm = alerts.alarm('disk');
  for (const wrong of ['a', undefined, 'b']) alarm.update(wrong, 'over');
  expect(states()).toEqual(['begins a', 'ended over', 'begins b']);
  expect(told[2]?.id).not.toBe(told[0]?.id);
});

test('two alarms of a kind are two alerts', () => {
  for (const text of ['a', 'b']) alerts.alarm('rig-lost').update(text, 'over');
  expect(states()).toEqual(['begins a', 'begins b']);
});

test('what has happened is told each time, but an erring engine only once an hour', () => {
  for (let i = 0; i < 3; i++) alerts.tell('block-found', 'found', { height: i });
  expect(told.map(({ data }) => data['height'])).toEqual([0, 1, 2]);
  told = [];
  for (; now <= REMINDER_MS; now += 60_000) alerts.tell('engine', `wrong at ${now}`);
  expect(states()).toEqual(['once wrong at 0', `once wrong at ${REMINDER_MS}`]);
});

test('a sentence is one line of at most 1000 characters', () => {
  alerts.tell('engine', `a\r\nb\u0000c\u0085d${'x'.repeat(5000)}`);
  expect(told[0]?.message.slice(0, 8)).toBe('a b c dx');
  expect(told[0]?.message).toHaveLength(1000);
});

test('JSON names the node', () => {
  alerts.tell('update', 'Version 2', { version: '2' });
  const json = alertJson(told[0] as Alert, { host: 'h', network: 'mainnet', version: '1' });
  expect(json).not.toContain('\n');
  expect(JSON.parse(json)).toEqual({
    id: told[0]?.id,
    kind: 'update',
    severity: 'info',
    state: 'once',
    time: START,
    since: START,
    message: 'Version 2',
    data: { version: '2' },
    host: 'h',
    network: 'mainnet',
    version: '1',
  });
});

test('every kind has its severity', () => {
  for (const kind of Object.keys(ALERT_KINDS) as AlertKind[]) alerts.tell(kind, kind);
  expect(told.map(({ kind, severity }) => [kind, severity])).toEqual(
    Object.entries(ALERT_KINDS).map(([kind, { severity }]) => [kind, severity]),
  );
});
