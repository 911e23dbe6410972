import { COMMANDS } from '../messages/commands.ts';
import { ipAddress } from '../net/parse-address.ts';
import { WorkBudget, WorkBudgets } from './work-budget.ts';

const { newTransactions, ping, requestChain, requestObjects, responseObjects, timedSync } =
  COMMANDS;

let now = 0;
const clock = (): number => now;
let budget: WorkBudget;

beforeEach(() => {
  now = 0;
  budget = new WorkBudget(clock);
});

test('a peer that downloads our chain at full speed never waits', () => {
  for (let second = 0; second < 600; second++) {
    for (let i = 0; i < 20; i++) expect(budget.charge(requestObjects, 10)).toBe(0);
    for (let i = 0; i < 5; i++) expect(budget.charge(requestChain, 2)).toBe(0);
    expect(budget.charge(timedSync, 1)).toBe(0);
    now += 1000;
  }
  expect(budget.isExhausted).toBe(false);
});

test('a whole pool in one message costs a wait, and no penalty', () => {
  expect(budget.charge(newTransactions, 8_000)).toBe(6_000);
  for (let i = 0; i < 100; i++) {
    now += 6_000;
    expect(budget.charge(newTransactions, 4_000)).toBeGreaterThan(0);
    expect(budget.isExhausted).toBe(false);
  }
});

test('answers that we asked for cost nothing', () => {
  for (let i = 0; i < 1_000; i++) expect(budget.charge(responseObjects, 100)).toBe(0);
});

test.each([
  ['20,000 pings', ping, 20_000],
  ['5,000 timed syncs', timedSync, 5_000],
  ['690 chain requests', requestChain, 2_000],
])('%s are slowed down, and too many for a minute exhaust our patience', (_, command, count) => {
  const start = now;
  let handled = 0;
  for (let i = 0; i < count && !budget.isExhausted; i++) {
    now += budget.charge(command, 0.1);
    handled++;
  }
  expect(budget.isExhausted).toBe(true);
  expect(now - start).toBeGreaterThanOrEqual(60_000);
  expect(handled).toBeLessThan(count);
});

test('a peer that pauses is forgiven', () => {
  for (let i = 0; i < 5_000; i++) now += budget.charge(ping, 0);
  now += 3_600_000;
  for (let i = 0; i < 5_000; i++) now += budget.charge(ping, 0);
  expect(budget.isExhausted).toBe(false);
});

test('once exhausted, a host that only works us hard a day later is not penalized', () => {
  while (!budget.isExhausted) now += budget.charge(ping, 0.1);
  now += 86_400_000;
  expect(budget.charge(newTransactions, 8_000)).toBeGreaterThan(0);
  expect(budget.isExhausted).toBe(false);
});

test('a new connection of a host brings no new budget', () => {
  const budgets = new WorkBudgets(clock);
  const of = (host: string, port: number): WorkBudget => {
    const address = ipAddress(host, port);
    if (!address) throw new Error(host);
    return budgets.of(address);
  };
  expect(of('8.8.4.4', 1)).toBe(of('8.8.4.4', 2));
  expect(of('8.8.4.4', 1)).not.toBe(of('8.8.4.5', 1));
  expect(of('127.0.0.1', 1)).not.toBe(of('127.0.0.1', 1));
});
