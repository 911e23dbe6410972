import type { RpcConnectionErrorCode } from './errors.ts';

/** Why a transport has no answer. */
export class Failure extends Error {
  readonly code: RpcConnectionErrorCode;

  constructor(code: RpcConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes of Node and of its `fetch`, beside those of certificates. */
const SYSTEM_CODES: Readonly<Record<string, RpcConnectionErrorCode>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'timeout',
};
const CERTIFICATE = /CERT|UNABLE_TO_(GET|VERIFY|DECRYPT)|ERR_TLS/;
/** Errors are nested in each other: in that of `fetch` is the error of the socket. */
const MOST_CAUSES = 5;

/** Returns why there is no answer, by an error and its causes. */
export function codeOf(error: unknown): RpcConnectionErrorCode {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth++) {
    if (at instanceof Failure) return at.code;
    const { code } = at as { readonly code?: unknown };
    if (typeof code === 'string') {
      const known = SYSTEM_CODES[code];
      if (known !== undefined) return known;
      if (CERTIFICATE.test(code)) return 'certificate';
    }
    at = at.cause;
  }
  return 'failed';
}
