// The child of log-stall: node write-lines.mjs LOG_FILE daemon|synchronous SECONDS
import { openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { LevelLogger } from '../../../apps/daemon/dist/log/level-logger.js';
import { LogFile } from '../../../apps/daemon/dist/log/log-file.js';
import { LogLevels } from '../../../apps/daemon/dist/log/log-levels.js';

const LINES_PER_TICK = 10;
const TICK_MS = 5;
/** Milliseconds between two looks of the monitor, which are part of what it reports. */
const RESOLUTION = 1;
const MESSAGE = 'message from 192.0.2.1:18080, as long as lines are at level 2 '.repeat(2);

const [path, how, seconds] = process.argv.slice(2);
rmSync(path, { force: true });

/** Returns what lines are written to, and how it is closed. */
function openSink() {
  if (how === 'synchronous') {
    const descriptor = openSync(path, 'a');
    return { write: (line) => writeSync(descriptor, line), close: () => undefined };
  }
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 });
  return { write: (line) => file.write(line), close: () => file.close() };
}

const sink = openSink();
const logger = new LevelLogger(new LogLevels('2'), [sink]).child('net.p2p');
const calls = [];
/** Writes the lines of one tick. */
function tick() {
  for (let i = 0; i < LINES_PER_TICK; i++) {
    const start = performance.now();
    logger.debug(MESSAGE);
    calls.push(performance.now() - start);
  }
}

// The first calls compile the code.
for (let i = 0; i < 20; i++) tick();
await sleep(500);
calls.length = 0;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();
const end = performance.now() + 1000 * Number(seconds);
const timer = setInterval(tick, TICK_MS);
while (performance.now() < end) await sleep(50);
clearInterval(timer);
delay.disable();
await sink.close();
calls.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    longestCall: calls.at(-1),
    call99: calls[Math.floor(calls.length * 0.99)],
    latestTimer: delay.max / 1e6 - RESOLUTION,
    timer99: delay.percentile(99) / 1e6 - RESOLUTION,
    lines: readFileSync(path, 'utf8').split('\n').length - 1,
  }),
);
