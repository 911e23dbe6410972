import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import { cryptoDisagreementReporter } from './crypto-disagreements.ts';

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
