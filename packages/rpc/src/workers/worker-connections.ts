import type { Socket } from 'node:net';
import type { MovedConnection } from '../gateway/connections/connection-limits.ts';
import type { PortName } from './channel.ts';

/** A connection that a worker has, or is being given. */
export interface WorkerConnection {
  readonly port: PortName;
  /** This process's copy, until the worker has its own. */
  socket: Socket | undefined;
  /** Serves the connection in this process, if no worker is left. */
  readonly keepHere: () => void;
  /** How it is counted; undefined until the worker has it. */
  moved?: MovedConnection;
}

/** The connections of one worker, by their number. */
export class WorkerConnections {
  readonly #open = new Map<number, WorkerConnection>();

  get size(): number {
    return this.#open.size;
  }

  add(id: number, connection: WorkerConnection): void {
    this.#open.set(id, connection);
  }

  /** Number of connections of a port. */
  count(port: PortName): number {
    let count = 0;
    for (const connection of this.#open.values()) if (connection.port === port) count++;
    return count;
  }

  /** The worker has the socket. */
  accepted(
    id: number,
    moved: (port: PortName, socket: Socket) => MovedConnection | undefined,
  ): void {
    const connection = this.#open.get(id);
    if (connection?.socket === undefined) return;
    const { socket } = connection;
    const counted = moved(connection.port, socket);
    if (counted !== undefined) connection.moved = counted;
    connection.socket = undefined;
    socket.destroy();
  }

  /** Counts a proxy's connection for a client; see `ConnectionCounter.countFor`. */
  countFor(id: number, client: string | undefined): boolean {
    return this.#open.get(id)?.moved?.countFor(client) !== false;
  }

  closed(id: number): void {
    const connection = this.#open.get(id);
    this.#open.delete(id);
    connection?.moved?.release();
  }

  /** The worker is gone. Returns the connections that it had not taken. */
  end(): WorkerConnection[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { moved } of all) moved?.release();
    return all.filter(({ socket }) => socket !== undefined && !socket.destroyed);
  }
}
