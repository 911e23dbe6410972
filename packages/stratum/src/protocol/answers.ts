import type { RequestId } from './request.ts';

/** What rigs are told about a share that does not count, and why a login fails, in the words of pools, which programs show. */
export type Refusal =
  | 'Unauthenticated'
  | 'Missing login'
  | 'Invalid address used for login'
  | 'Invalid password'
  | 'Already logged in'
  | 'Too many addresses'
  | 'Algorithm is not supported'
  | 'Node is not synchronized'
  | 'Job is not ready'
  | 'Invalid job id'
  | 'Invalid nonce'
  | 'Invalid result'
  | 'Block expired'
  | 'Duplicate share'
  | 'Low difficulty share'
  | 'Too many shares'
  | 'Too many requests';

/** Returns the line of an answer. */
export function answerLine(id: RequestId, result: object): string {
  return `${JSON.stringify({ id, jsonrpc: '2.0', error: null, result })}\n`;
}

/** Returns the line that refuses a request. */
export function refusalLine(id: RequestId, message: string): string {
  return `${JSON.stringify({ id, jsonrpc: '2.0', error: { code: -1, message } })}\n`;
}

/** Returns the line that tells a rig about a new job. */
export function jobLine(job: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'job', params: job })}\n`;
}
