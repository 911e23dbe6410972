// Writes the digests of the files of a release, and signs them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUMS = 'SHA256SUMS';

/** Writes SHA256SUMS, of all files of a folder, in the form that `sha256sum --check` reads; returns the text. */
export function writeSums(folder) {
  const names = readdirSync(folder).filter((name) => !name.startsWith(SUMS));
  const digest = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const text = names
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join('');
  writeFileSync(join(folder, SUMS), text);
  return text;
}

/** Signs SHA256SUMS with a secret key of GnuPG, as SHA256SUMS.asc. Throws Error when gpg does not know the key. */
export function signSums(folder, key) {
  const signature = join(folder, `${SUMS}.asc`);
  rmSync(signature, { force: true });
  const how = ['--batch', '--yes', '--armor', '--detach-sign', '--local-user', key];
  execFileSync('gpg', [...how, '--output', signature, join(folder, SUMS)], {
    stdio: ['inherit', 'ignore', 'inherit'],
    env: process.env,
  });
  return signature;
}
