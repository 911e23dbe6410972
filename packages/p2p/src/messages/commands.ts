/** Command numbers. Source: src/p2p/p2p_protocol_defs.h and src/cryptonote_protocol/cryptonote_protocol_defs.h. */
export const COMMANDS = {
  handshake: 1001,
  timedSync: 1002,
  ping: 1003,
  supportFlags: 1007,
  newBlock: 2001,
  newTransactions: 2002,
  requestObjects: 2003,
  responseObjects: 2004,
  requestChain: 2006,
  responseChain: 2007,
  newFluffyBlock: 2008,
  requestFluffyMissing: 2009,
  txpoolComplement: 2010,
} as const;
