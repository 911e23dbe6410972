// Loaded into each JavaScript thread of a daemon of ours: names a worker after the package that its script is in.
// Only modules are loaded late enough to know the script.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const folders = dirname(process.argv[1] ?? '').split('/');
  const name = folders[folders.indexOf('packages') + 1] ?? 'worker';
  writeFileSync('/proc/thread-self/comm', name || 'worker');
}
