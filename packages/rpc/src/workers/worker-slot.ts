import { monotonicMilliseconds } from '@monero-node/base';
import type { AppParts } from '../gateway/app-parts.ts';
import type { PortName, ToMain, ToWorker } from './channel.ts';
import { Heartbeat, type Pulse } from './heartbeat.ts';
import { WorkerConnections } from './worker-connections.ts';
import { PassedCalls } from './passed-calls.ts';
import { WorkerProcess } from './worker-process.ts';

/** Calls from a slot to its owner. */
export interface SlotEvents {
  readonly onMessage: (slot: WorkerSlot, message: ToMain) => void;
  readonly onEnd: (slot: WorkerSlot, how: string) => void;
  readonly ports: (name: PortName) => AppParts | undefined;
  /** Called before each answer; resolves when all workers know what is in the answer. */
  readonly settled: () => Promise<void>;
}

/** How the worker processes of a node are. */
export interface WorkerCounts {
  /** Those that take connections. */
  readonly serving: number;
  /** Those that there should be; what is missing starts, does not answer, or waits for its restart. */
  readonly wanted: number;
  /** Those that have ended or were killed since the start, other than by its stop. */
  readonly ended: number;
}

/** What a node has for answers, and what of it is left. */
export interface RpcLoad {
  /** Share in use, 0 to 1: by the main process or, on average, by its workers, whichever is more. See `SaturationMeter`. */
  readonly saturation: number;
  /** Undefined without workers. */
  readonly workers: WorkerCounts | undefined;
}

/** A worker process from its start to its end, and what it has of this process. */
export class WorkerSlot {
  readonly connections = new WorkerConnections();
  readonly startedAt = monotonicMilliseconds();
  readonly #process: WorkerProcess;
  readonly #calls: PassedCalls;
  readonly #rooms = new Map<number, (isMade: boolean) => void>();
  #roomsAsked = 0;
  /** Oldest commit that it reads or may begin to read. */
  reading = 0;
  #saturation = 0;
  #isReady = false;
  #isKilled = false;
  /** Begins when the worker is ready. */
  #heartbeat: Heartbeat | undefined;
  #pulse: Pulse = 'alive';
  /** Time from which on it has lagged behind the newest named commit; undefined when it has reached it. */
  #behindSince: number | undefined = this.startedAt;

  constructor({ onMessage, onEnd, ports, settled }: SlotEvents) {
    this.#process = new WorkerProcess({
      onMessage: (message) => {
        this.#heartbeat?.heard();
        if (message.kind === 'beat') this.#saturation = message.saturation;
        onMessage(this, message);
      },
      onEnd: (how) => {
        this.#calls.end();
        this.#endRooms();
        onEnd(this, how);
      },
    });
    this.#calls = new PassedCalls({ ports, settled, send: (message) => this.send(message) });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** How much of what it has for answers is in use, as it said last; see `SaturationMeter`. */
  get saturation(): number {
    return this.#saturation;
  }

  /** The worker says that it takes connections. */
  ready(): void {
    this.#isReady = true;
    this.#heartbeat = new Heartbeat(monotonicMilliseconds, () => this.send({ kind: 'beat' }));
  }

  /** Whether it is given connections, and waited for. */
  get isServing(): boolean {
    return this.#isReady && this.#pulse === 'alive' && !this.#isKilled;
  }

  /** Returns how the worker does now, when that is another answer than last time; see `Heartbeat`. */
  changedPulse(): Pulse | undefined {
    const pulse = this.#heartbeat?.look() ?? 'alive';
    if (pulse === this.#pulse || this.#isKilled) return undefined;
    this.#pulse = pulse;
    if (pulse !== 'alive') this.#endRooms();
    return pulse;
  }

  /** Returns whether it will not come back, and was not killed yet. @param othersAnswer whether another worker does */
  isLost(othersAnswer: boolean): boolean {
    if (this.#isKilled) return false;
    return this.#pulse === 'dead' || (this.#pulse === 'hung' && othersAnswer);
  }

  send(message: ToWorker): void {
    this.#process.send(message);
  }

  /** Hands a connection over. */
  connect(id: number, connection: Parameters<WorkerConnections['add']>[1]): void {
    const { socket, port } = connection;
    if (socket === undefined) return;
    this.connections.add(id, connection);
    // Node would keep a list of sent sockets for the server, and wait for them when it closes.
    Object.assign(socket, { server: null });
    this.#process.send({ kind: 'connection', id, port }, socket);
  }

  /** Has the worker close a connection that is at least that idle. Resolves with whether it has. */
  makeRoom(port: PortName, atLeast: number): Promise<boolean> {
    const call = ++this.#roomsAsked;
    return new Promise((resolve) => {
      this.#rooms.set(call, resolve);
      this.#process.send({ kind: 'make-room', call, port, atLeast });
    });
  }

  roomAnswered(call: number, isMade: boolean): void {
    this.#rooms.get(call)?.(isMade);
    this.#rooms.delete(call);
  }

  #endRooms(): void {
    for (const call of [...this.#rooms.keys()]) this.roomAnswered(call, false);
  }

  /** Notes that a commit was named to it. */
  told(): void {
    this.#behindSince ??= monotonicMilliseconds();
  }

  /** Notes which commit it reads. @param newest the last that was named to it */
  reads(commit: number, newest: number): void {
    this.reading = commit;
    this.#behindSince = commit < newest ? monotonicMilliseconds() : undefined;
  }

  /** Returns whether it has lagged for more than a time in milliseconds, and was not killed for that. */
  isStuck(now: number, milliseconds: number): boolean {
    if (this.#isKilled) return false;
    return this.#behindSince !== undefined && now - this.#behindSince > milliseconds;
  }

  answer(question: Parameters<PassedCalls['take']>[0]): void {
    this.#calls.take(question);
  }

  kill(): void {
    this.#isKilled = true;
    this.#process.kill();
  }
}
