// Row 2: no attack, but two of our nodes that stay connected over WebSocket, and synchronize.
/** Seconds after which the link must be open. */
const MAX_SETUP = 5;

export const attacks = [
  {
    id: '2',
    kind: 'ws',
    what: 'another node of ours over WebSocket',
    isCompanion: true,
    judge: (counts, seconds) =>
      counts['seconds open'] >= seconds - MAX_SETUP ? [] : ['the link was cut'],
  },
];
