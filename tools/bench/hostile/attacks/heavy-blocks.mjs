// Row 9: peers ask for heavy blocks again and again, and read nothing.
import { count, crowd } from '../crowd.mjs';
import { COMMAND, Peer, notify } from '../peer.mjs';
import { body, string } from '../storage.mjs';

const ATTACKERS = 24;
const REQUESTS_PER_WRITE = 10;

export const attacks = [
  {
    id: '9',
    kind: 'p2p',
    what: '24 peers ask for 100 heavy blocks and read nothing',
    run({ ports, chain }, counts) {
      const ids = Buffer.from(chain.heavyIds.join(''), 'hex');
      const request = notify(COMMAND.requestObjects, body([string('blocks', ids)]));
      const requests = Buffer.concat(Array.from({ length: REQUESTS_PER_WRITE }, () => request));
      return crowd(ATTACKERS, counts, async (address) => {
        const peer = await Peer.open(ports.p2p, address, chain);
        peer.socket.pause();
        while (!peer.isClosed) {
          await peer.send(requests);
          count(counts, 'requests', REQUESTS_PER_WRITE);
        }
      });
    },
  },
];
