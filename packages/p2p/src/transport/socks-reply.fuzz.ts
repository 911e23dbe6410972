import { createServer, type AddressInfo } from 'node:net';
import { connectThroughSocks } from './socks.ts';

/** The bytes that the proxy sends as soon as it is connected to. */
let reply: Uint8Array = new Uint8Array(0);
const proxy = createServer((socket) => {
  socket.on('error', () => {});
  socket.resume();
  socket.end(reply);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const { port } = proxy.address() as AddressInfo;

/** The first byte chooses the version, the others are the proxy's. */
export const maxLength = 2000;
export const seeds = [
  [0, 0, 0x5a, 0, 0, 0, 0, 0, 0],
  [0, 0, 0x5b, 0, 0, 0, 0, 0, 0, 1, 2, 3],
  [1, 5, 0, 5, 0, 0, 1, 1, 2, 3, 4, 0, 80, 65, 66],
  [1, 5, 0, 5, 0, 0, 3, 4, 97, 97, 97, 97, 0, 80],
  [1, 5, 0, 5, 0, 0, 4, ...new Array<number>(18).fill(1)],
  [2, 5, 2, 1, 0, 5, 0, 0, 1, 1, 2, 3, 4, 0, 80],
  [1, 5, 0xff],
].map((bytes) => Uint8Array.from(bytes));

const LOGIN = { user: 'name', password: 'secret' };

/** A proxy that answers anything either connects or is refused with Error; nothing is thrown elsewhere. */
export async function fuzz(input: Uint8Array): Promise<void> {
  const kind = (input[0] ?? 0) % 3;
  reply = input.subarray(1);
  const endpoint = { host: '127.0.0.1', port, version: kind === 0 ? '4a' : '5' } as const;
  try {
    const socket = await connectThroughSocks(
      kind === 2 ? { ...endpoint, login: LOGIN } : endpoint,
      { host: 'node.example', port: 18_080 },
      { timeoutMs: 2000 },
    );
    socket.destroy();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
}
