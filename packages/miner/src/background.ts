import type { Logger } from '@monero-node/base';
import type { Machine, ProcessorTimes } from './machine.ts';
import type { BackgroundSettings } from './background-settings.ts';

/** Seconds between two looks while mining. */
const MONITOR_INTERVAL = 10;
/** Milliseconds of rest after every hash, at first and at least. */
const FIRST_REST = 400;
const LEAST_REST = 5;

export interface BackgroundOptions extends BackgroundSettings {
  /** Mine on battery power, and where it cannot be told. */
  readonly ignoreBattery: boolean;
}

/**
 * Decides when the machine is idle enough to mine and how much the threads have to rest. Source:
 * background_worker_thread in src/cryptonote_basic/miner.cpp.
 */
export class BackgroundControl {
  readonly options: BackgroundOptions;
  readonly #machine: Machine;
  readonly #logger: Logger;
  #times: ProcessorTimes;
  #processTime = 0;
  #isMining = false;
  #rest = FIRST_REST;

  constructor(options: BackgroundOptions, machine: Machine, logger: Logger) {
    this.options = options;
    this.#machine = machine;
    this.#logger = logger;
    this.#times = machine.processorTimes();
  }

  /** Whether threads may work now. */
  get isMining(): boolean {
    return this.#isMining;
  }

  /** Milliseconds that a thread rests before each hash. */
  get rest(): number {
    return this.#rest;
  }

  /** Milliseconds until the next look. */
  get interval(): number {
    return 1000 * (this.#isMining ? MONITOR_INTERVAL : this.options.minIdleSeconds);
  }

  /** Looks at the machine and decides anew. */
  async look(): Promise<void> {
    const onMains = await this.#isOnMains();
    if (this.#isMining) this.#lookWhileMining(onMains);
    else if (onMains) this.#lookWhileResting();
  }

  async #isOnMains(): Promise<boolean> {
    if (this.options.ignoreBattery) return true;
    return (await this.#machine.isOnBattery()) === false;
  }

  #lookWhileMining(onMains: boolean): void {
    const processTime = this.#machine.processTime();
    const { idle, total } = this.#passed();
    const idlePercent = percent(idle, total);
    const ownPercent = percent(processTime - this.#processTime, total);
    if (idlePercent + ownPercent < this.options.idleThreshold || !onMains) {
      this.#isMining = false;
      const power = onMains ? '' : ', on battery';
      this.#logger.info(`background mining rests: processors are ${idlePercent}% idle${power}`);
      return;
    }
    this.#processTime = processTime;
    this.#rest = Math.max(LEAST_REST, this.#rest - (this.options.target - ownPercent));
  }

  #lookWhileResting(): void {
    const { idle, total } = this.#passed();
    const idlePercent = percent(idle, total);
    if (idlePercent < this.options.idleThreshold) return;
    this.#isMining = true;
    this.#processTime = this.#machine.processTime();
    this.#logger.info(`background mining works: processors are ${idlePercent}% idle`);
  }

  /** Processor time since the last look. */
  #passed(): ProcessorTimes {
    const now = this.#machine.processorTimes();
    const passed = { total: now.total - this.#times.total, idle: now.idle - this.#times.idle };
    this.#times = now;
    return passed;
  }
}

/** Rounded up. */
function percent(part: number, total: number): number {
  return total <= 0 ? 0 : Math.ceil((part / total) * 100);
}
