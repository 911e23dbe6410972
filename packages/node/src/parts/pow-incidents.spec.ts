import { silentLogger } from '@monero-node/base';
import { powIncidentReporter } from './pow-incidents.ts';

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
