#!/usr/bin/env node
import { runCli } from './run-cli.ts';

const status = await runCli(process.argv.slice(2), {
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
  stopRequested: ({ stdin }) =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      if (stdin)
        process.stdin
          .resume()
          .once('end', resolve)
          .once('error', () => resolve());
    }),
});
// A standard input that is still open must not keep a stopped program running.
process.exit(status);
