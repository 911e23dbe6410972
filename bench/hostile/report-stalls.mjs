// Preloaded into a node of ours (`node --import`): appends every stall of the event loop to the file named by
// HOSTILE_STALLS, and a line now and then, whose absence shows a stall that lasts.
import { appendFileSync, openSync, readSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 5;
const WORTH_REPORTING_MS = 10;
const SILENCE_MS = 500;

/**
 * Returns the milliseconds that the main thread has run on a processor, and those that it waited for one because
 * other programs were running. Source: schedstat in proc(5).
 *
 * @param {number} descriptor
 * @param {Buffer} buffer
 */
export function schedule(descriptor, buffer) {
  const length = readSync(descriptor, buffer, 0, buffer.length, 0);
  const [ran, waited] = buffer.toString('latin1', 0, length).split(' ');
  return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}

/**
 * What is reported: when, and the milliseconds of the stall, of which the thread ran on a processor and waited for one.
 *
 * @typedef {{ at: number, stall: number, ran: number, waited: number }} Report
 */

/** @param {string} file */
function watch(file) {
  const descriptor = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(128);
  let last = { at: performance.now(), ...schedule(descriptor, buffer) };
  let reported = 0;
  const look = () => {
    const now = { at: performance.now(), ...schedule(descriptor, buffer) };
    const stall = now.at - last.at - INTERVAL_MS;
    if (stall > WORTH_REPORTING_MS || now.at - reported > SILENCE_MS) {
      reported = now.at;
      /** @type {Report} */
      const line = {
        at: Date.now(),
        stall,
        ran: now.ran - last.ran,
        waited: now.waited - last.waited,
      };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    }
    last = now;
  };
  setInterval(look, INTERVAL_MS).unref();
}

const file = process.env.HOSTILE_STALLS;
if (file && isMainThread) watch(file);
