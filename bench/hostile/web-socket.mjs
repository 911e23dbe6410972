// WebSocket (RFC 6455) written by hand: the upgrade, and frames with any header.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Connects to a WebSocket address and returns the socket after the upgrade. Rejects when it fails.
 *
 * @param {number} port
 * @param {string} localAddress
 */
export async function openWebSocket(port, localAddress) {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = [
    'GET / HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  /** @type {Promise<never>} */
  const closed = once(socket, 'close').then(() => {
    throw new Error('closed');
  });
  const [answer] = await Promise.race([once(socket, 'data'), closed]);
  closed.catch(() => {});
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error('no upgrade');
  return socket;
}
