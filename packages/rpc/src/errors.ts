/** Ends a call with a JSON-RPC error. On other paths it becomes HTTP 500, as in monerod. */
export class JsonRpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'JsonRpcError';
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

/** The options contradict each other or need a confirmation. */
export class RpcOptionsError extends Error {
  readonly code = 'bad-option';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcOptionsError';
  }
}

/** A worker cannot answer the call: the main process has to. Passes through every handler of errors. */
export class AskMainError extends Error {
  constructor() {
    super('only the main process can answer this call');
  }
}
