import { Periodic, type Logger } from '@monero-node/base';
import { NotifySender } from './notify-sender.ts';

/** Longest interval of Node's timers, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns the milliseconds between two signs of life: half of WATCHDOG_USEC, which is in microseconds. Returns undefined when
 * the service manager does not watch, or watches another process. Source: sd_watchdog_enabled(3).
 */
export function watchdogInterval(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { WATCHDOG_USEC: time = '', WATCHDOG_PID: watched = '' } = environment;
  if (!/^\d+$/.test(time) || (watched !== '' && watched !== String(pid))) return undefined;
  const interval = Math.floor(Number(time) / 2000);
  return interval === 0 ? undefined : Math.min(interval, LONGEST);
}

/** Least number of milliseconds between two status lines. */
const STATUS_INTERVAL = 10_000;

/** The service manager that started this process, for example systemd with `Type=notify`. */
export interface ServiceManager {
  /** Reports that start-up has ended. From now on it gets status lines and, if it watches this process, signs of life. */
  started(status: () => string): void;
  /** Reports what happens before start-up has ended. Never throws. */
  starting(status: string): void;
  /** Reports that the node stops. Resolves when that was delivered or has failed; never rejects. */
  stopping(): Promise<void>;
}

type Sender = Pick<NotifySender, 'send' | 'close'>;
/** Opens the way to the socket of a service manager; `onTrouble` hears of every message that was not delivered. */
type Connect = (socket: string, onTrouble: (why: string) => void) => Sender;

/**
 * Returns the service manager that `environment` names, and removes its variables so that programs run by the node do not
 * inherit them. Without one the reports go nowhere. Reports that cannot be delivered cause one warning.
 */
export function takeServiceManager(
  environment: NodeJS.ProcessEnv,
  pid: number,
  logger: Logger,
  connect: Connect = (address, onTrouble) => new NotifySender(address, onTrouble),
): ServiceManager {
  const socket = environment['NOTIFY_SOCKET'];
  const watchdog = watchdogInterval(environment, pid);
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
  if (socket === undefined || socket === '') return NO_MANAGER;
  let isKnown = false;
  const sender = connect(socket, (why) => {
    if (!isKnown) logger.warn(`the service manager (NOTIFY_SOCKET) cannot be notified: ${why}`);
    isKnown = true;
  });
  return new NotifiedManager(sender, watchdog);
}

const NO_MANAGER: ServiceManager = {
  starting: () => undefined,
  started: () => undefined,
  stopping: () => Promise.resolve(),
};

class NotifiedManager implements ServiceManager {
  readonly #sender: Sender;
  readonly #watchdog: number | undefined;
  readonly #tasks: Periodic[] = [];
  #lastStatus = '';

  constructor(sender: Sender, watchdog: number | undefined) {
    this.#sender = sender;
    this.#watchdog = watchdog;
  }

  started(status: () => string): void {
    this.#lastStatus = status();
    void this.#sender.send('READY=1', `STATUS=${this.#lastStatus}`);
    this.#every(STATUS_INTERVAL, () => this.#sendStatus(status()));
    if (this.#watchdog !== undefined) {
      // The timer fires only while the event loop turns, so a node that hangs is restarted.
      this.#every(this.#watchdog, () => this.#sender.send('WATCHDOG=1'));
    }
  }

  starting(status: string): void {
    void this.#sendStatus(status);
  }

  async stopping(): Promise<void> {
    for (const periodic of this.#tasks) periodic.stop();
    await this.#sender.send('STOPPING=1', 'STATUS=Stopping');
    this.#sender.close();
  }

  #every(milliseconds: number, task: () => Promise<void>): void {
    const periodic = new Periodic(milliseconds, task);
    this.#tasks.push(periodic);
    periodic.start();
  }

  async #sendStatus(status: string): Promise<void> {
    if (status === this.#lastStatus) return;
    this.#lastStatus = status;
    await this.#sender.send(`STATUS=${status}`);
  }
}
