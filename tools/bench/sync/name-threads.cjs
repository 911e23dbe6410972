// Loaded into a daemon of ours before anything else: names the threads of Node after their role, where /proc shows it.
// A thread that starts without a name of its own has the name of the thread that started it.
const { readdirSync, stat, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const THREADS = '/proc/self/task';

function nameAll(threads, name) {
  for (const thread of threads) writeFileSync(`${THREADS}/${thread}/comm`, name);
}

if (isMainThread) {
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
