import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/**
 * Returns what `compute` returns, which must depend on the key alone. The processes of one `npm test` compute it once: they
 * keep it in the folder TEST_MEMO, which ends with that run. A single run of Jest has no such folder.
 */
export function oncePerRun<T>(key: string, compute: () => T): T {
  const folder = process.env['TEST_MEMO'] ?? '';
  if (folder === '') return compute();
  const file = join(folder, createHash('sha256').update(key).digest('hex'));
  if (existsSync(file)) return deserialize(readFileSync(file)) as T;
  const value = compute();
  // Under another name first: another process may read it at any time.
  const unfinished = `${file}-${randomUUID()}`;
  writeFileSync(unfinished, serialize(value));
  renameSync(unfinished, file);
  return value;
}
