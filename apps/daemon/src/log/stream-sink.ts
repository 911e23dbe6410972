import type { LogSink } from './level-logger.ts';

/**
 * Writes lines to a stream until that fails: a reader that has gone (`monero-node | head`) must not take
 * the node with it, nor may telling of it lead to the next failure.
 */
export function streamSink(stream: NodeJS.WritableStream): LogSink {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  return {
    write: (line) => {
      if (!gone) stream.write(line);
    },
  };
}
