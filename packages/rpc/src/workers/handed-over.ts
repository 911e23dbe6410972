import type { Socket } from 'node:net';
import type { PortName } from './channel.ts';

/** A connection that a worker has, or is being given. */
export interface HandedOver {
  readonly port: PortName;
  /** This process's copy, until the worker has its own. */
  socket: Socket | undefined;
  /** Serves the connection in this process, if no worker is left. */
  readonly keepHere: () => void;
  /** Counts the connection as closed. */
  release: () => void;
}

/** The connections of one worker, by their number. */
export class HandedOverConnections {
  readonly #open = new Map<number, HandedOver>();

  get size(): number {
    return this.#open.size;
  }

  add(id: number, connection: HandedOver): void {
    this.#open.set(id, connection);
  }

  /** Number of connections of a port. */
  count(port: PortName): number {
    let count = 0;
    for (const connection of this.#open.values()) if (connection.port === port) count++;
    return count;
  }

  /** The worker has the socket. */
  accepted(id: number, moved: (port: PortName, socket: Socket) => (() => void) | undefined): void {
    const connection = this.#open.get(id);
    if (connection?.socket === undefined) return;
    const { socket } = connection;
    connection.release = moved(connection.port, socket) ?? connection.release;
    connection.socket = undefined;
    socket.destroy();
  }

  closed(id: number): void {
    const connection = this.#open.get(id);
    this.#open.delete(id);
    connection?.release();
  }

  /** The worker is gone. Returns the connections that it had not taken. */
  end(): HandedOver[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { release } of all) release();
    return all.filter(({ socket }) => socket !== undefined && !socket.destroyed);
  }
}
