import { silentLogger } from '@monero-node/base';
import { datasetEventReporter, powIncidentReporter } from './pow-incidents.ts';

function setUp() {
  const errors: string[] = [];
  let now = 0;
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const report = powIncidentReporter(logger, () => now);
  return { errors, report, pass: (milliseconds: number) => void (now += milliseconds) };
}

test('logs both hashes, the input and how often an engine was wrong', () => {
  const { errors, report } = setUp();
  const incident = {
    kind: 'wrong-hash' as const,
    engine: 'RandomX (native)',
    request: {
      kind: 'randomx' as const,
      seedHash: new Uint8Array(32).fill(0xcc),
      blob: Uint8Array.of(0xab, 0xcd),
    },
    wrong: new Uint8Array(32).fill(0xee),
    right: new Uint8Array(32).fill(0x11),
  };
  report(incident);
  report(incident);
  expect(errors).toHaveLength(2);
  for (const text of [
    'RandomX (native)',
    'ee'.repeat(32),
    '11'.repeat(32),
    'cc'.repeat(32),
    'abcd',
  ])
    expect(errors[0]).toContain(text);
  expect(errors[1]).toContain('Wrong hashes so far: 2');
});

test('names version 2 of RandomX and the commitment to it', () => {
  const { errors, report } = setUp();
  const request = {
    kind: 'randomx-v2' as const,
    seedHash: new Uint8Array(32),
    blob: Uint8Array.of(1),
    commitment: true,
  };
  const [wrong, right] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  report({ kind: 'wrong-hash', engine: 'RandomX (native)', request, wrong, right });
  expect(errors[0]).toContain('(commitment to RandomX version 2 seed 00');
});

test('logs an engine that computes nothing once a minute, and counts its failures', () => {
  const { errors, report, pass } = setUp();
  const incident = { kind: 'no-hash' as const, engine: 'native', error: new Error('no memory') };
  for (let i = 0; i < 100; i++) report(incident);
  expect(errors).toHaveLength(1);
  pass(60_000);
  report(incident);
  expect(errors).toHaveLength(2);
  expect(errors[1]).toContain('no memory');
  expect(errors[1]).toContain('Failures so far: 101');
});

test('says once that a dataset takes memory or cannot, and each time that something went wrong', () => {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const report = datasetEventReporter({ info: at('I'), warn: at('W'), debug: at('D') });
  for (let i = 0; i < 2; i++) {
    report({ kind: 'started', blocks: 2000, isKept: false });
    report({ kind: 'freed' });
    report({ kind: 'no-memory', available: 5 * 2 ** 30, needed: 6 * 2 ** 30 });
    report({ kind: 'failed', error: new Error('no threads') });
    report({ kind: 'mismatch', path: 'avx2' });
  }
  expect(lines.map((line) => line[0]).join(',')).toBe('I,D,I,W,W,D,D,W,W');
  expect(lines[0]).toContain('2080 MiB');
  expect(lines[0]).toContain('2000 blocks');
  expect(lines[2]).toContain('5120 MiB of memory are available, and 6144 MiB are needed');
  expect(lines[3]).toContain('no threads');
  expect(lines[4]).toContain('avx2');
});

test('says that a dataset is kept', () => {
  const lines: string[] = [];
  const unused = () => undefined;
  const report = datasetEventReporter({
    info: (message) => void lines.push(message),
    warn: unused,
    debug: unused,
  });
  report({ kind: 'started', blocks: 48, isKept: true });
  expect(lines).toEqual([
    'a RandomX dataset (2080 MiB) is computed to verify the next 48 blocks; the memory is kept (--pow-dataset)',
  ]);
});
