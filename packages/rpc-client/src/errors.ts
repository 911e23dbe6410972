/** Any failure of a call. */
export class RpcError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcError';
  }
}

/** There was no answer: no connection, a broken one, or none in time. */
export class RpcConnectionError extends RpcError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcConnectionError';
  }
}

/** The server requires a login, and none or a wrong one was sent. */
export class RpcLoginError extends RpcError {
  constructor() {
    super('the server refuses the login');
    this.name = 'RpcLoginError';
  }
}

/**
 * An HTTP status other than 200: 404 where a path is not served, 400 for a request that can't be read, 500 for a
 * failure.
 */
export class RpcHttpError extends RpcError {
  readonly status: number;

  constructor(path: string, status: number) {
    super(`${path}: HTTP status ${status}`);
    this.name = 'RpcHttpError';
    this.status = status;
  }
}

/** A JSON-RPC error. */
export class RpcCallError extends RpcError {
  /** -32601: no such method here; -9: busy; see src/rpc/core_rpc_server_error_codes.h of monerod for the others. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcCallError';
    this.code = code;
  }
}

/** The call was understood, but its `status` is not OK: `BUSY`, `Failed`, or a sentence. */
export class RpcStatusError extends RpcError {
  readonly status: string;
  /** The rest of the answer; what the server could not tell has its default. */
  readonly answer: unknown;

  constructor(status: string, answer: unknown) {
    super(status);
    this.name = 'RpcStatusError';
    this.status = status;
    this.answer = answer;
  }
}

/** This client cannot read the answer. */
export class RpcAnswerError extends RpcError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcAnswerError';
  }
}
