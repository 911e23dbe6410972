/** A call that the node refused, with a sentence for the visitor. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  /** Number of an error of JSON-RPC; undefined for every other refusal. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Marks calls of this page, so that the node can tell them from those of other pages. */
const MARK = { 'X-Requested-With': 'monero-node' };

/**
 * Posts JSON to a path of the node and returns the answer. The browser asks for the login if there is one. Throws ActionError
 * when there is no answer.
 */
async function post(path: string, request: object): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: 'POST',
      headers: { ...MARK, 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
      cache: 'no-store',
    });
  } catch {
    throw new ActionError('The node does not answer.');
  }
  if (answer.status === 401) throw new ActionError('The node needs its login.');
  if (!answer.ok) throw new ActionError(`The node refused the call (${answer.status}).`);
  return answer.json();
}

/** Calls a method at its own path and returns the answer. Throws ActionError for a status other than OK. */
export async function callPath(path: string, request: object): Promise<unknown> {
  const answer = await post(path, request);
  const { status } = answer as { readonly status?: string };
  if (status !== 'OK') throw new ActionError(sentenceOf(status ?? ''));
  return answer;
}

/** Calls a method of JSON-RPC and returns its result. Throws ActionError for an error or a status other than OK. */
export async function callMethod(method: string, params: object): Promise<unknown> {
  const answer = await post('/json_rpc', { jsonrpc: '2.0', id: '0', method, params });
  const { error, result } = answer as {
    readonly error?: { readonly code?: number; readonly message?: string };
    readonly result?: { readonly status?: string };
  };
  if (error !== undefined) throw new ActionError(sentenceOf(error.message ?? ''), error.code);
  if (result?.status !== 'OK') throw new ActionError(sentenceOf(result?.status ?? ''));
  return result;
}

const SENTENCES: Readonly<Record<string, string>> = {
  BUSY: 'The node is still synchronizing.',
  'Failed, wrong address': 'This is not an address of this network.',
  'Already mining': 'The miner is running already.',
  'Unsupported host/subnet type': 'This address cannot be banned.',
};

const sentenceOf = (status: string): string =>
  SENTENCES[status] ?? `${status || 'Failed'}.`.replace('..', '.');
