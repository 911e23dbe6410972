import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startAndStop } from '../harness/packaged-daemon.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless } from '../harness/skip-without.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
const NAME = `monero-node-${version}-${process.platform}-${process.arch}`;
const FOLDER = join(ROOT, '.release', version);
const ARCHIVE = join(FOLDER, `${NAME}.tar.gz`);
const lack = existsSync(ARCHIVE) ? undefined : `no ${ARCHIVE}: npm run release makes it`;

describeUnless(lack, 'the archive of a release', () => {
  test('is what its sums say, and its programs start a node without any other program', async () => {
    const sums = ['--check', '--ignore-missing', '--quiet', 'SHA256SUMS'];
    execFileSync('sha256sum', sums, { cwd: FOLDER });
    const unpacked = newFolder('archive');
    execFileSync('tar', ['-xzf', ARCHIVE, '-C', unpacked]);
    const top = join(unpacked, NAME);
    await startAndStop([join(top, 'monero-node')], newFolder('from-archive'));
    const said = execFileSync(join(top, 'monero-node-chain'), ['--version'], { env: {} });
    expect(said.toString()).toContain(version);
  });
});
