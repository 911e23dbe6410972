/** Error codes of JSON-RPC answers. Source: src/rpc/core_rpc_server_error_codes.h and the JSON-RPC 2.0 standard. */
export const RPC_ERROR = {
  /** A failure that monerod gives no code. */
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

/** Ends a call with a JSON-RPC error. On a plain path it becomes HTTP 500, as monerod has no other way there either. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** Ends a call with a status other than OK; fields of the answer that are not given keep their defaults. */
export class RpcStatus extends Error {
  readonly status: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(status);
    this.name = 'RpcStatus';
    this.status = status;
    this.fields = fields;
  }
}

/** Status of calls that need a synchronized node. */
export const BUSY = 'BUSY';

/** The options contradict each other or need a confirmation. */
export class RpcOptionsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RpcOptionsError';
  }
}
