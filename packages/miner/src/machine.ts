import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** Time of all processors together since some moment, milliseconds. */
export interface ProcessorTimes {
  readonly total: number;
  readonly idle: number;
}

/** The facts about the machine that background mining needs. */
export interface Machine {
  processorTimes(): ProcessorTimes;
  /** Processor time of this process, all its threads together; milliseconds. */
  processTime(): number;
  /** Undefined where it cannot be told. */
  isOnBattery(): Promise<boolean | undefined>;
}

const POWER_SUPPLIES = '/sys/class/power_supply';

/** The machine this runs on. */
export const thisMachine: Machine = {
  processorTimes: () => {
    let total = 0;
    let idle = 0;
    for (const { times } of cpus()) {
      idle += times.idle;
      total += times.user + times.nice + times.sys + times.idle;
    }
    return { total, idle };
  },
  processTime: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  isOnBattery: () => isOnBattery(POWER_SUPPLIES),
};

/**
 * Reads the power supplies as Linux shows them: no if mains are on, else what the first battery with something to say
 * says. Source: on_battery_power in src/cryptonote_basic/miner.cpp.
 *
 * @param folder of the supplies, one folder each
 */
export async function isOnBattery(folder: string): Promise<boolean | undefined> {
  const supplies = await readdir(folder).catch(() => []);
  let answer: boolean | undefined;
  for (const supply of supplies.sort()) {
    const read = (name: string) => readFile(join(folder, supply, name), 'utf8').catch(() => '');
    const type = await read('type');
    if (type.startsWith('Mains')) {
      if ((await read('online')).startsWith('1')) return false;
    } else if (type.startsWith('Battery') && answer === undefined) {
      const status = await read('status');
      if (status.startsWith('Charging') || status.startsWith('Full')) answer = false;
      if (status.startsWith('Discharging')) answer = true;
    }
  }
  return answer;
}
