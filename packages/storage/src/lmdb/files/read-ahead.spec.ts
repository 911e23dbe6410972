import { expect, test } from '@jest/globals';
import type { Environment } from './environment.ts';
import { ReadAhead } from './read-ahead.ts';
import type { TableKey, TableName } from '../tables/tables.ts';

/** An environment that records the keys asked for; `finish` ends the oldest task. */
function recorded() {
  const asked: TableKey[][] = [];
  const waiting: (() => void)[] = [];
  const prefetch = (_table: TableName, keys: readonly TableKey[]) =>
    new Promise<void>((resolve) => {
      asked.push([...keys]);
      waiting.push(resolve);
    });
  return {
    environment: { prefetch } as unknown as Environment,
    asked,
    finish: () => waiting.shift()?.(),
  };
}

test('asks for every row once, a bounded number ahead', async () => {
  const { environment, asked, finish } = recorded();
  const ahead = new ReadAhead(environment, 'txs', 100, 1000);
  const reached = ahead.reach(100);
  expect(asked.length).toBe(8);
  finish();
  await reached;
  expect(asked.length).toBe(9);
  for (let key = 101; key < 1000; key += 1) {
    const next = ahead.reach(key);
    finish();
    await next;
  }
  expect(asked.flat()).toEqual(Array.from({ length: 900 }, (_, i) => 100 + i));
});

test('waits until the row has been read', async () => {
  const { environment, finish } = recorded();
  let isThere = false;
  const reached = new ReadAhead(environment, 'txs', 0, 10).reach(0).then(() => (isThere = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isThere).toBe(false);
  finish();
  await reached;
  expect(isThere).toBe(true);
});

test('does not ask when there are no rows', async () => {
  const { environment, asked } = recorded();
  await new ReadAhead(environment, 'txs', 5, 5).reach(5);
  expect(asked).toEqual([]);
});
