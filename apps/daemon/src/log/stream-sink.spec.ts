import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { streamSink } from './stream-sink.ts';

test('stops writing to a stream that failed', async () => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done(written.length > 1 ? new Error('EPIPE') : null);
    },
  });
  const sink = streamSink(stream);
  for (const line of ['a', 'b', 'c']) {
    sink.write(line, 'INFO');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toEqual(['a', 'b']);
});

test('does not end a process whose reader ended', async () => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const hooks = `import { register } from 'node:module';
    register(${url('../../../../tools/typescript-hooks.mjs')});`;
  const code = `import { streamSink } from ${url('./stream-sink.ts')};
    const sink = streamSink(process.stdout);
    for (let i = 0; i < 500; i++) {
      sink.write('line '.repeat(100), 'INFO');
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
