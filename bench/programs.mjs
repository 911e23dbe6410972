// Child programs on loopback: free ports, start, wait, stop, processor time.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @import { AddressInfo, Server } from 'node:net' */

/**
 * A child program.
 *
 * @typedef {ReturnType<typeof startProgram>} Program
 */
/**
 * Starts a child program that {@link withPrograms} stops.
 *
 * @typedef {typeof startProgram} Start
 */

export const LOOPBACK = '127.0.0.1';
/** Clock ticks per second in /proc/PID/stat: 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** @returns {Promise<Server>} a server on a free port */
const listening = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, LOOPBACK, () => resolve(server));
  });

/**
 * Returns TCP ports of the loopback interface on which no program listens, by the names given to them.
 *
 * @template {string} Name
 * @param {...Name} names
 * @returns {Promise<Record<Name, number>>}
 */
export async function freePorts(...names) {
  const servers = await Promise.all(names.map(listening));
  const ports = servers.map((server) => /** @type {AddressInfo} */ (server.address()).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  const byName = Object.fromEntries(names.map((name, i) => [name, ports[i]]));
  return /** @type {Record<Name, number>} */ (byName);
}

/** Running programs; an interrupted benchmark stops them all. */
class Running {
  /** @type {Program[]} */
  #programs = [];

  /** @param {Program} program */
  add(program) {
    this.#programs.push(program);
    program.exited.then(() => this.#programs.splice(this.#programs.indexOf(program), 1));
  }

  /** Stops the newest first: wallets before the node they need. */
  async stopAll() {
    for (const program of [...this.#programs].reverse()) await program.stop();
  }
}

/**
 * Runs `task` with a `start(name, command, args, options)` for child programs. When the
 * task ends, every program that still runs is stopped. On SIGINT or SIGTERM they are stopped at once, which makes
 * the task fail. Returns the task's result.
 *
 * Throws the error of the task, or Error when interrupted.
 *
 * @template T
 * @param {(start: Start) => Promise<T>} task
 */
export async function withPrograms(task) {
  const running = new Running();
  /** @type {NodeJS.Signals | undefined} */
  let signal;
  /** @param {NodeJS.Signals} name */
  const interrupt = (name) => {
    signal ??= name;
    void running.stopAll();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await task((name, command, args, options) => {
      if (signal) throw new Error(`interrupted by ${signal}`);
      const program = startProgram(name, command, args, options);
      running.add(program);
      return program;
    });
  } catch (error) {
    throw signal ? new Error(`interrupted by ${signal}`) : error;
  } finally {
    await running.stopAll();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/**
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ log: string, cwd: string, env?: NodeJS.ProcessEnv }} options log: file that takes its output
 */
function startProgram(name, command, args, { log, cwd, env }) {
  const output = openSync(log, 'a');
  // Its own process group: a Ctrl-C in the terminal reaches this process, which stops the rest in order.
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', output, output],
    detached: true,
    env: { ...process.env, ...env },
  });
  closeSync(output);
  let alive = true;
  /** @type {Promise<void>} */
  const exited = new Promise((resolve) => {
    const over = () => {
      alive = false;
      resolve();
    };
    child.once('exit', over).once('error', over);
  });
  return {
    name,
    /** 0 of a program that could not be started. */
    pid: child.pid ?? 0,
    exited,
    get alive() {
      return alive;
    },
    output: () => readFileSync(log, 'utf8'),
    /** Kills the program. */
    async kill() {
      if (alive) child.kill('SIGKILL');
      await exited;
    },
    /** Asks the program to stop, and kills it if it still runs after `limit` milliseconds. */
    async stop(limit = 60_000) {
      if (alive) child.kill('SIGTERM');
      const giveUp = setTimeout(() => child.kill('SIGKILL'), limit);
      await exited;
      clearTimeout(giveUp);
    },
  };
}

/**
 * What an attempt returns that has not succeeded.
 *
 * @typedef {false | undefined | null} Falsy
 */

/** Milliseconds between two attempts. */
const POLL_MS = 50;

/**
 * Calls `attempt` until it returns a value. Throws Error when the program ends or after `limit` milliseconds.
 *
 * @template T
 * @param {Program} program
 * @param {string} what is awaited
 * @param {() => Promise<T>} attempt
 * @returns {Promise<Exclude<T, Falsy>>}
 */
export async function waitFor(program, what, attempt, limit = 90_000) {
  const end = performance.now() + limit;
  while (performance.now() < end) {
    if (!program.alive) break;
    const answer = await attempt().catch(() => undefined);
    if (answer) return /** @type {Exclude<T, Falsy>} */ (answer);
    await sleep(POLL_MS);
  }
  const tail = program.output().split('\n').slice(-15).join('\n');
  throw new Error(`${program.name}: ${what} did not happen\n${tail}`);
}

/**
 * Returns the processor time in seconds that all threads of a process have used.
 *
 * @param {number | string} pid
 */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field, the program's name in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Returns the same for a process and its child processes that are running.
 *
 * @param {number} pid
 */
export function cpuSecondsWithChildren(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  const ids = children === '' ? [] : children.split(' ');
  return ids.reduce((sum, child) => sum + cpuSeconds(child), cpuSeconds(pid));
}

/** Returns the processor time in seconds of all child programs that have ended, and of theirs. */
export function cpuSecondsOfChildren() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
