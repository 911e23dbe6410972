import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import type { AddingFailure, P2pEvents } from '@monero-node/p2p';
import { PowUnavailableError } from '@monero-node/pow';
import { StorageError } from '@monero-node/storage';
import { watchAdding } from './adding-failures.ts';

function setUp() {
  const events = new EventEmitter<P2pEvents>();
  const lines: string[] = [];
  const ends: unknown[] = [];
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const note = (message: string) => void lines.push(message);
  watchAdding(
    { events },
    {
      logger: { ...silentLogger, error: note, info: note },
      giveUp: (error) => ends.push(error),
      alerts: {
        alarm: (kind) => ({ update: (wrong, ended) => tell(`${kind}: ${wrong ?? ended}`) }),
        tell: (kind, sentence) => tell(`${kind}: ${sentence}`),
      },
    },
  );
  const fail = (attempts: number, error: unknown, byMachine = true) => {
    const failure: AddingFailure = { error, byMachine, attempts, lasting: 65_000, retryIn: 20_000 };
    events.emit('addingFailed', failure);
  };
  return { events, lines, ends, fail, told };
}

test('says what fails, since when, and what to do', () => {
  const { events, lines, fail, told } = setUp();
  fail(3, new StorageError('io', 'the disk is full'));
  fail(4, new PowUnavailableError('no-memory', 'no memory for a cache'));
  expect(lines[0]).toMatch(
    /^This node cannot add blocks: the disk is full \(attempt 3, at most 10, failing since \d{4}-.*Z, next attempt in 20 s\)\. No peer is to blame\. Check the free space/,
  );
  expect(lines[1]).toContain('--pow-engine');
  events.emit('addingRecovered', 4);
  expect(lines[2]).toBe('This node adds blocks again, after 4 failed attempts.');
  expect(told).toEqual(lines.map((line) => `cannot-add-blocks: ${line}`));
});

test('gives up after ten failures of this machine in a row, once', () => {
  const { lines, ends, fail, told } = setUp();
  const error = new StorageError('io', 'the disk is full');
  for (let attempt = 1; attempt <= 12; attempt++) fail(attempt, error);
  expect(ends).toEqual([error]);
  expect(lines).toHaveLength(10);
  expect(lines[9]).toContain('10 times in 1 min 5 s, so it stops: the disk is full');
  expect(told.at(-1)).toBe(`stopping: ${lines[9]}`);
});

test('an error of the program never stops the node', () => {
  const { ends, fail } = setUp();
  for (let attempt = 1; attempt <= 50; attempt++) fail(attempt, new TypeError('a defect'), false);
  expect(ends).toEqual([]);
});
