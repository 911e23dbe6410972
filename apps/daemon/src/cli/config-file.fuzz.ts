import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NETWORKS } from '@monero-node/consensus';
import { parseConfig } from './config-file.ts';
import { readHardForks } from './network-settings.ts';
import { UsageError } from './usage-error.ts';
import { OPTIONS } from './options/options.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-file-'));
const path = join(folder, 'forks.json');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const text = (value: string) => new TextEncoder().encode(value);
export const maxLength = 4096;
export const seeds = [
  text(
    '# comment\ndata-dir=/tmp/x\np2p-bind-port=18080\nno-igd=1\nadd-peer=1.2.3.4\nadd-peer=5.6.7.8\n',
  ),
  text('[{"version":1,"height":0,"time":0},{"version":16,"height":5,"time":9}]'),
];
export const tokens = [
  ...OPTIONS.map(({ name }) => `\n${name}=`),
  '=',
  '\n',
  '#',
  '=1\n',
  '"height":',
  '"version":',
];

/** Runs a reader of a file, which may refuse with UsageError only. */
function attempt(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** A config file and a list of forks are read or refused with UsageError. */
export function fuzz(input: Uint8Array): void {
  attempt(() => parseConfig(Buffer.from(input).toString('utf8')));
  writeFileSync(path, input);
  attempt(() => readHardForks(path, NETWORKS.regtest));
}
