// Row 9: peers ask for heavy blocks again and again, and read nothing.
import { flood, repeated } from '../flood.mjs';
import { COMMAND, notify } from '../peer.mjs';
import { body, string } from '../storage.mjs';

/** @import { Attack, ChainFacts } from '../attack.d.ts' */

const ATTACKERS = 24;
const REQUESTS_PER_WRITE = 10;

/** @param {ChainFacts} chain */
function requests({ heavyIds }) {
  const ids = Buffer.from(heavyIds.join(''), 'hex');
  const request = notify(COMMAND.requestObjects, body([string('blocks', ids)]));
  return repeated(REQUESTS_PER_WRITE, request);
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '9',
    kind: 'p2p',
    what: '24 peers ask for 100 heavy blocks and read nothing',
    run: flood(ATTACKERS, requests, {
      messages: REQUESTS_PER_WRITE,
      counted: 'requests',
      isDeaf: true,
    }),
  },
];
