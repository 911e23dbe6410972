import { connect, type Socket } from 'node:net';

/** The answer on a raw connection, and whether the server closed it. */
export interface RawAnswer {
  readonly text: string;
  readonly closed: boolean;
}

/** How long the first byte of an answer may take on a busy machine, milliseconds. */
const FIRST_BYTE_MS = 3000;

/** Sends bytes and collects what comes until the server closes or nothing more has come for `idle` milliseconds. */
export function exchange(port: number, bytes: string | Uint8Array, idle = 150): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1');
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed });
    };
    let timer = setTimeout(finish, Math.max(idle, FIRST_BYTE_MS), false);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(finish, idle, false);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}
