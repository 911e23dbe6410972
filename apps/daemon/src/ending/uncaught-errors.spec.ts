import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import { StorageError } from '@monero-node/storage';
import { EXIT } from './exit-codes.ts';
import { failureOfProgram, failureOfStart } from './failure.ts';
import { StopRequest } from './stop-request.ts';
import { UncaughtErrors } from './uncaught-errors.ts';

let dataDir: string;
let errors: UncaughtErrors;
let logged: string[];
let stop: StopRequest;
/** The handlers of the test runner, which must not see the errors of these tests. */
const kept = (['uncaughtException', 'unhandledRejection'] as const).map(
  (event) => [event, process.listeners(event as 'uncaughtException')] as const,
);

beforeEach(() => {
  for (const [event] of kept) process.removeAllListeners(event);
  dataDir = mkdtempSync(join(tmpdir(), 'uncaught-'));
  logged = [];
  stop = new StopRequest();
  errors = new UncaughtErrors({
    logger: { ...silentLogger, error: (message: string) => void logged.push(message) },
    dataDir,
    version: 'monero-node (v0)',
    options: ['--regtest'],
    recentLines: () => ['the last line'],
    onFailure: stop.fail,
  });
});
afterEach(() => {
  errors.close();
  for (const [event, listeners] of kept)
    for (const listener of listeners) process.on(event, listener);
  rmSync(dataDir, { recursive: true });
});

const reports = (): string[] => readdirSync(dataDir);

test('an uncaught error is logged with its stack, reported, and ends with status 70', async () => {
  const error = new RangeError('out of range', { cause: new Error('the cause') });
  process.emit('uncaughtException', error);
  await stop.requested;
  expect(stop.status).toBe(EXIT.software);
  expect(logged[0]).toMatch(/^unexpected error: RangeError: out of range\n +at /);
  expect(logged[0]).toContain('the cause');
  expect(logged[1]).toBe(`crash report: ${join(dataDir, reports()[0] ?? '')}`);
  const text = readFileSync(join(dataDir, reports()[0] ?? ''), 'utf8');
  for (const part of ['RangeError: out of range', '--regtest', 'the last line'])
    expect(text).toContain(part);
});

test('a rejection with anything ends in the same way', async () => {
  process.emit('unhandledRejection', undefined, Promise.resolve());
  await stop.requested;
  expect(stop.status).toBe(EXIT.software);
  expect(reports()).toHaveLength(1);
});

test('errors without end make one report and a bounded log', () => {
  for (let i = 0; i < 1000; i++) process.emit('uncaughtException', new Error(`number ${i}`));
  expect(reports()).toHaveLength(1);
  expect(logged.length).toBeLessThan(30);
});

test('a full disk ends as a storage error, with a sentence instead of a stack', async () => {
  const path = join(dataDir, 'p2pstate.json');
  const error = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path });
  process.emit('uncaughtException', error);
  await stop.requested;
  expect(stop.status).toBe(EXIT.storage);
  expect(logged).toEqual([
    expect.stringMatching(/^stopping: the disk that holds .*p2pstate\.json is full \(\d+ bytes/),
  ]);
  expect(reports()).toEqual([]);
});

test('a promise of a failed commit that nobody can reach ends the program without a line: the store says why', async () => {
  const error = Object.assign(new Error('Commit failed'), { commitError: Promise.resolve() });
  process.emit('unhandledRejection', error, Promise.resolve());
  await stop.requested;
  expect(stop.status).toBe(EXIT.storage);
  expect(logged).toEqual([]);
  expect(reports()).toEqual([]);
});

test('errors of the store have their own exit status', () => {
  const io = new StorageError('io', 'the disk is full');
  expect(failureOfStart(io, dataDir)).toEqual({ status: EXIT.storage, text: 'the disk is full' });
  expect(failureOfProgram(io, dataDir)).toEqual({ status: EXIT.storage, text: 'the disk is full' });
  const locked = new StorageError('locked', 'in use');
  expect(failureOfStart(locked, dataDir)).toEqual({ status: EXIT.failed, text: 'in use' });
  const other = new Error('port in use');
  expect(failureOfStart(other, dataDir)).toEqual({ status: EXIT.failed, text: 'port in use' });
});

test('the first failure decides the exit status', () => {
  stop.fail(EXIT.storage);
  stop.fail(EXIT.software);
  stop.request();
  expect(stop.status).toBe(EXIT.storage);
});
