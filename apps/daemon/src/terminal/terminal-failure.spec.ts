import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Terminal } from './terminal.ts';

test('stops writing to a stream that failed', async () => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done(written.length > 1 ? new Error('EPIPE') : null);
    },
  });
  const sink = new Terminal(stream);
  for (const line of ['a', 'b', 'c']) {
    sink.write(line);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toEqual(['a', 'b']);
});

test('does not end a process whose reader ended', async () => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const hooks = `import { register } from 'node:module';
    register(${url('../../../../tools/typescript-hooks.mjs')});`;
  const code = `import { Terminal } from ${url('./terminal.ts')};
    const sink = new Terminal(process.stdout);
    for (let i = 0; i < 500; i++) {
      sink.write('line '.repeat(100));
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.exit(7);`;
  const child = spawn(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(hooks)}`],
      ...['--input-type=module', '--eval', code],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([7, null]);
});
