/** Error codes of JSON-RPC answers. Source: src/rpc/core_rpc_server_error_codes.h and the JSON-RPC 2.0 standard. */
export const RPC_ERROR = {
  /** A failure for which monerod has no code. */
  none: 0,
  wrongParam: -1,
  tooBigHeight: -2,
  tooBigReserveSize: -3,
  wrongWalletAddress: -4,
  internal: -5,
  wrongBlockBlob: -6,
  blockNotAccepted: -7,
  busy: -9,
  wrongBlockBlobSize: -10,
  miningToSubaddress: -12,
  regtestRequired: -13,
  restricted: -19,
  unsupportedWithBootstrap: -20,
  paymentsNotEnabled: -21,
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

/** Status of a call that needs a synchronized node while the node is not synchronized. */
export const BUSY = 'BUSY';
