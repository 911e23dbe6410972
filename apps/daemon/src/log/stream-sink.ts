import type { LogSink } from './level-logger.ts';

/**
 * Writes lines to a stream until writing fails. A reader that ends early (`monero-node | head`) must not stop
 * the node, and logging that failure would only fail again.
 */
export function streamSink(stream: NodeJS.WritableStream): LogSink {
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  return {
    write: (line) => {
      if (!failed) stream.write(line);
    },
  };
}
