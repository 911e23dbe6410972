/** Why there was no answer. */
export type RpcConnectionErrorCode =
  /** None in time, or no connection in time. */
  | 'timeout'
  /** Nothing listens there. */
  | 'refused'
  /** The name of the host is not known. */
  | 'unknown-host'
  /** The connection broke, or the client was closed. */
  | 'closed'
  /** The certificate of the server is not accepted. */
  | 'certificate'
  /** The answer has more bytes than the client takes. */
  | 'too-large'
  /** Something else; browsers tell no more. `cause` may. */
  | 'failed';

/** What went wrong, by the class of the error: of a {@link RpcCallError} the number that the server sent. */
export type RpcErrorCode =
  RpcConnectionErrorCode | 'login' | 'http-status' | 'status' | 'bad-answer' | number;

/** Any failure of a call. */
export class RpcError extends Error {
  readonly code: RpcErrorCode;

  constructor(code: RpcErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** There was no answer: no connection, a broken one, or none in time. `cause` is the error of the platform. */
export class RpcConnectionError extends RpcError {
  declare readonly code: RpcConnectionErrorCode;

  constructor(
    message: string,
    options: ErrorOptions & { readonly code?: RpcConnectionErrorCode } = {},
  ) {
    super(options.code ?? 'failed', message, options);
    this.name = 'RpcConnectionError';
  }
}

/** The server requires a login, and none or a wrong one was sent. */
export class RpcLoginError extends RpcError {
  declare readonly code: 'login';

  constructor() {
    super('login', 'the server refuses the login');
    this.name = 'RpcLoginError';
  }
}

/**
 * An HTTP status other than 200: 404 where a path is not served, 400 for a request that can't be read, 500 for a
 * failure.
 */
export class RpcHttpError extends RpcError {
  declare readonly code: 'http-status';
  readonly status: number;

  constructor(path: string, status: number) {
    super('http-status', `${path}: HTTP status ${status}`);
    this.name = 'RpcHttpError';
    this.status = status;
  }
}

/** A JSON-RPC error. */
export class RpcCallError extends RpcError {
  /** -32601: no such method here; -9: busy; see src/rpc/core_rpc_server_error_codes.h of monerod for the others. */
  declare readonly code: number;

  constructor(code: number, message: string) {
    super(code, message);
    this.name = 'RpcCallError';
  }
}

/** The call was understood, but its `status` is not OK: `BUSY`, `Failed`, or a sentence. */
export class RpcStatusError extends RpcError {
  declare readonly code: 'status';
  readonly status: string;
  /** The rest of the answer; what the server could not tell has its default. */
  readonly answer: unknown;

  constructor(status: string, answer: unknown) {
    super('status', status);
    this.name = 'RpcStatusError';
    this.status = status;
    this.answer = answer;
  }
}

/** This client cannot read the answer; `cause` says where. */
export class RpcAnswerError extends RpcError {
  declare readonly code: 'bad-answer';

  constructor(message: string, options?: ErrorOptions) {
    super('bad-answer', message, options);
    this.name = 'RpcAnswerError';
  }
}
