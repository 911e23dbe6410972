import { readStatement, type Statement } from './statement.ts';

/** Nodes of a fleet, this one included, that a node deals with at most. */
export const MAX_NODES = 128;
/** Milliseconds for which a statement counts, from when it was made. */
export const FRESH_MS = 30_000;

/** Largest answer in bytes: as many statements of 215 characters, each with its age, and some to spare. */
const MAX_ANSWER = MAX_NODES * 240;

/** A statement, and how long ago it was made. */
export interface AgedStatement {
  readonly statement: Statement;
  /** Milliseconds, as whoever repeats it says. */
  readonly age: number;
}

/** Returns the body of an answer at `/health/fleet`. The first statement is that of the node that answers. */
export function writeAnswer(statements: readonly AgedStatement[]): string {
  const rows = statements.map(({ statement, age }) => [statement.text, Math.round(age)]);
  return JSON.stringify({ statements: rows });
}

/**
 * Returns the statements of an answer. Nothing is verified. Throws TypeError when it is not of that form, names too many nodes,
 * or has a statement that counts no more.
 */
export function readAnswer(answer: unknown): AgedStatement[] {
  const rows: unknown = (answer as { statements?: unknown } | null)?.statements;
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MAX_NODES)
    throw new TypeError('not the answer of a node of a fleet');
  return rows.map((row: unknown) => {
    const [text, age] = (Array.isArray(row) ? row : []) as unknown[];
    const statement = readStatement(text);
    if (statement === undefined || typeof age !== 'number' || !(age >= 0 && age <= FRESH_MS))
      throw new TypeError('not a statement of a node of a fleet');
    return { statement, age };
  });
}

/**
 * Asks a node of the fleet what it says of itself and knows of the others. Rejects when it does not answer in time, or with
 * something else.
 *
 * @param address of the node, such as `10.0.0.1:18089` or `[2001:db8::1]:18089`
 * @param timeout milliseconds
 * @param stop ends the question, too
 */
export async function askNode(
  address: string,
  timeout: number,
  stop?: AbortSignal,
): Promise<AgedStatement[]> {
  const end = new AbortController();
  const abort = (): void => end.abort(stop?.reason);
  stop?.addEventListener('abort', abort);
  if (stop?.aborted === true) abort();
  const timer = setTimeout(() => {
    end.abort(new DOMException('the node did not answer in time', 'TimeoutError'));
  }, timeout);
  try {
    return await answerOf(address, end.signal);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', abort);
  }
}

async function answerOf(address: string, signal: AbortSignal): Promise<AgedStatement[]> {
  const response = await fetch(`http://${address}/health/fleet`, {
    signal,
    redirect: 'error',
    headers: { 'Accept-Encoding': 'identity' },
  });
  const length = Number(response.headers.get('content-length') ?? Infinity);
  // A few compressed kilobytes can become gigabytes.
  const isPlain = !response.headers.has('content-encoding');
  if (!response.ok || !(length <= MAX_ANSWER) || !isPlain) {
    await response.body?.cancel();
    throw new TypeError(`answers with status ${response.status}, or too much`);
  }
  return readAnswer(await response.json());
}
