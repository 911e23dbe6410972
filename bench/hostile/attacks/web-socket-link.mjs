// Row 2: no attack, but two of our nodes that stay connected over WebSocket, and synchronize.

/** @import { Attack } from '../attack.d.ts' */

/** Seconds after which the link must be open. */
const MAX_SETUP = 5;

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '2',
    kind: 'ws',
    what: 'another node of ours over WebSocket',
    isCompanion: true,
    judge: ({ 'seconds open': open = 0 }, seconds) =>
      open >= seconds - MAX_SETUP ? [] : ['the link was cut'],
  },
];
