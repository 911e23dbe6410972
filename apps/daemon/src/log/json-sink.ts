import type { LogEntry, LogSink } from './level-logger.ts';

/** Forms of a line: monerod's, or JSON for programs. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Receives lines of text. */
interface LineSink {
  write(line: string): void;
}

function jsonLine({ time, level, category, message }: LogEntry): string {
  return `${JSON.stringify({ time: time.toISOString(), level, category, message })}\n`;
}

/** Returns a sink that writes each entry as one line of JSON: time (ISO 8601, UTC), level, category, message. */
export function jsonSink(lines: LineSink): LogSink {
  return { write: (_line, entry) => lines.write(jsonLine(entry)) };
}
