import type { JsonValue } from '@monero-node/codec';
import { parseJson64, stringifyJson64 } from '@monero-node/codec/json';
import type { RpcTransport } from '@monero-node/rpc-client';

const CALL_PATH = '/json_rpc';

/** The transport of one command, with the answers that it carried. */
export interface RecordedAnswers {
  readonly transport: RpcTransport;
  /** Returns the answers as JSON: a single one alone, several as a list; undefined when there was none. */
  readonly text: () => string | undefined;
}

/** Wraps a transport so that the answers to a command can be printed for a script. */
export function recordAnswers(transport: RpcTransport): RecordedAnswers {
  const answers: { call: string; answer: JsonValue }[] = [];
  return {
    transport: {
      post: async (path, contentType, body) => {
        const bytes = await transport.post(path, contentType, body);
        answers.push(path === CALL_PATH ? callAnswer(body, bytes) : pathAnswer(path, bytes));
        return bytes;
      },
      close: () => transport.close(),
    },
    text: () => {
      const [first, second] = answers;
      if (first === undefined) return undefined;
      return stringifyJson64(second === undefined ? first.answer : answers);
    },
  };
}

function pathAnswer(path: string, bytes: Uint8Array): { call: string; answer: JsonValue } {
  return { call: path.slice(1), answer: parseJson64(bytes) };
}

/** Returns the result of a JSON-RPC call, or its error. */
function callAnswer(body: Uint8Array, bytes: Uint8Array): { call: string; answer: JsonValue } {
  const { method } = parseJson64(body) as { method: string };
  const whole = parseJson64(bytes) as { result?: JsonValue; error?: JsonValue };
  return { call: method, answer: whole.result ?? whole.error ?? null };
}
