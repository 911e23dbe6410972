/* global process, setImmediate */
// Loaded into a daemon of ours before anything else: names its threads after their roles, where /proc shows it. A
// thread that starts without a name of its own has the name of the thread that started it.
const { readdirSync, stat, writeFileSync } = process.getBuiltinModule('node:fs');
const { isMainThread } = process.getBuiltinModule('node:worker_threads');

const THREADS = '/proc/self/task';

/**
 * @param {readonly string[]} threads
 * @param {string} name
 */
function nameAll(threads, name) {
  for (const thread of threads) writeFileSync(`${THREADS}/${thread}/comm`, name);
}

function nameThreadsOfNode() {
  const atStart = readdirSync(THREADS);
  nameAll(atStart, 'v8');
  writeFileSync('/proc/thread-self/comm', 'main');
  // The first asynchronous call for a file starts all threads of libuv at once.
  stat('/', () => undefined);
  nameAll(
    readdirSync(THREADS).filter((thread) => !atStart.includes(thread)),
    'libuv',
  );
}

/** Names a worker after the package that its script is in. */
function nameWorker() {
  const folders = (process.argv[1] ?? '').split('/');
  writeFileSync('/proc/thread-self/comm', folders[folders.indexOf('packages') + 1] || 'worker');
}

if (isMainThread) nameThreadsOfNode();
// The script of a worker is known only when it runs.
else setImmediate(nameWorker);
