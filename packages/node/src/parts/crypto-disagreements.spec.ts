import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import {
  cryptoDisagreementReporter,
  cryptoFailureReporter,
  cryptoFallbackReporter,
} from './crypto-disagreements.ts';

test('saves the case and logs an error', () => {
  const dir = mkdtempSync(join(tmpdir(), 'disagreements-'));
  const errors: string[] = [];
  const report = cryptoDisagreementReporter(dir, {
    ...silentLogger,
    error: (message) => errors.push(message),
  });
  const statement = { inputs: [Uint8Array.of(1, 2)], outputs: [], fee: 18446744073709551615n };
  const disagreement = {
    backendName: 'wasm',
    check: { kind: 'balance' as const, statements: [statement] },
  };
  for (let i = 0; i < 102; i++) report(disagreement);
  const cases = join(dir, 'crypto-disagreements');
  expect(readdirSync(cases)).toHaveLength(100);
  expect(JSON.parse(readFileSync(join(cases, 'case-1.json'), 'utf8'))).toEqual({
    backendName: 'wasm',
    check: {
      kind: 'balance',
      statements: [{ inputs: ['0102'], outputs: [], fee: '18446744073709551615' }],
    },
  });
  expect(errors).toHaveLength(102);
  expect(errors[0]).toContain('the wasm crypto backend wrongly refused a balance check');
  rmSync(dir, { recursive: true });
});

test('counts the checks that a backend did not answer, and logs once a minute', () => {
  const errors: string[] = [];
  let now = 0;
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const report = cryptoFailureReporter(logger, () => now);
  const failure = { backendName: 'wasm', kind: 'clsag' as const, error: new Error('it crashed') };
  for (let i = 0; i < 50; i++) report(failure);
  now += 60_000;
  report(failure);
  expect(errors).toHaveLength(2);
  expect(errors[1]).toContain('did not answer a clsag check (it crashed)');
  expect(errors[1]).toContain('Failures so far: 51');
});

test('logs why a faster backend is not used, as a warning when WebAssembly is missing', () => {
  const lines: string[] = [];
  const report = cryptoFallbackReporter({
    ...silentLogger,
    info: (message) => void lines.push(`info ${message}`),
    warn: (message) => void lines.push(`warn ${message}`),
  });
  report({ missing: 'native', reason: 'no compiler' });
  report({ missing: 'wasm', reason: 'no executable memory' });
  expect(lines).toEqual([
    'info the native crypto backend does not run here: no compiler',
    'warn the wasm crypto backend does not run here: no executable memory',
  ]);
});
