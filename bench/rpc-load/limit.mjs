// Limits processes to a part of a core, so that a measurement does not depend on the number of cores.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../programs.mjs';

/** @import { Program } from '../programs.mjs' */

/** The cpu controller of cgroups, version 1. */
const CONTROLLER = '/sys/fs/cgroup/cpu';
const PERIOD_US = 10_000;

/** @param {number} pid */
const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);

/** The limits that are in force. */
export class Limits {
  /** @type {string[]} */
  #groups = [];

  /**
   * Limits each child process of a program to a part of a core, in percent, when there are `count` of them; the program itself
   * when `count` is 0. Throws where there is no cpu controller of cgroups version 1.
   *
   * @param {Program} program
   * @param {number} count
   * @param {number} percent
   */
  async add(program, count, percent) {
    if (!existsSync(join(CONTROLLER, 'cpu.cfs_quota_us'))) {
      throw new Error(
        `--worker-share needs the cpu controller of cgroups version 1 at ${CONTROLLER}`,
      );
    }
    for (const id of count > 0 ? await children(program, count) : [program.pid]) {
      const group = join(CONTROLLER, `monero-node-bench-${id}`);
      mkdirSync(group);
      this.#groups.push(group);
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String((PERIOD_US * percent) / 100));
      writeFileSync(join(group, 'cgroup.procs'), String(id));
    }
  }

  /** Removes the limits, when the processes have ended. */
  remove() {
    for (const group of this.#groups) rmdirSync(group);
  }
}

/**
 * Returns the ids of the child processes, when there are `count` of them.
 *
 * @param {Program} program
 * @param {number} count
 */
function children(program, count) {
  return waitFor(program, `${count} workers`, async () => {
    const found = childrenOf(program.pid);
    return found.length === count && found;
  });
}
