import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { PassThrough, Writable } from 'node:stream';
import { Terminal } from './terminal.ts';

const MIB = 2 ** 20;
const TEXT = `${'x'.repeat(999)}\n`;

/** A stream whose reader takes a text whenever it is told to. */
class Reader extends Writable {
  readonly taken: string[] = [];
  #release: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString());
    this.#release = done;
  }

  /** Takes all that waits. */
  async takeAll(): Promise<void> {
    while (this.#release !== undefined) {
      const release = this.#release;
      this.#release = undefined;
      release();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test('a reader that never reads costs a bounded memory', () => {
  const stream = new Reader();
  const terminal = new Terminal(stream);
  for (let i = 0; i < 10_000; i++) terminal.write(TEXT);
  expect(stream.writableLength).toBeGreaterThan(MIB - TEXT.length);
  expect(stream.writableLength).toBeLessThan(MIB + TEXT.length);
});

test('a reader that goes on gets what waited, and the number of lost texts is reported once', async () => {
  const stream = new Reader();
  const terminal = new Terminal(stream);
  const lost: number[] = [];
  terminal.onLost = (texts) => lost.push(texts);
  for (let i = 0; i < 2000; i++) terminal.write(TEXT);
  expect(lost).toEqual([]);
  await stream.takeAll();
  const kept = stream.taken.length;
  expect(lost).toEqual([2000 - kept]);
  expect(kept).toBe(Math.ceil(MIB / TEXT.length));
  terminal.write('again\n');
  await stream.takeAll();
  expect(stream.taken.at(-1)).toBe('again\n');
  expect(lost).toHaveLength(1);
});

test('the end waits for a reader that reads', async () => {
  const stream = new PassThrough({ highWaterMark: 10 });
  const terminal = new Terminal(stream);
  terminal.write(TEXT);
  terminal.write('the last line\n');
  let read = '';
  const ended = terminal.finish().then(() => read);
  stream.on('data', (bytes: Buffer) => (read += bytes.toString()));
  expect(await ended).toBe(`${TEXT}the last line\n`);
});

test('the end does not wait for one that never reads, nor for one that has gone', async () => {
  const stuck = new Terminal(new Reader());
  stuck.write(TEXT);
  await stuck.finish();
  const gone = new PassThrough();
  const terminal = new Terminal(gone);
  gone.destroy(new Error('EPIPE'));
  await new Promise((resolve) => setImmediate(resolve));
  await terminal.finish();
  expect(gone.destroyed).toBe(true);
});

describe('a process whose standard output is a pipe', () => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const hooks = `import { register } from 'node:module';
    register(${url('../../../../tools/typescript-hooks.mjs')});`;
  /** Writes lines that count, as a log does, and ends when its standard input does. */
  const code = `import { Terminal } from ${url('./terminal.ts')};
    const terminal = new Terminal(process.stdout);
    terminal.onLost = (texts) => terminal.write('lost ' + texts + '\\n');
    for (let i = 0; i < 5000; i++) terminal.write(('line ' + i + ' ').padEnd(999, '.') + '\\n');
    process.stderr.write('written\\n');
    process.stdin.resume();
    await new Promise((resolve) => process.stdin.once('end', resolve));
    terminal.write('the last line\\n');
    await terminal.finish();
    process.exit(0);`;
  const start = (): ChildProcessByStdio<import('node:stream').Writable, Readable, Readable> =>
    spawn(
      process.execPath,
      [
        ...['--import', `data:text/javascript,${encodeURIComponent(hooks)}`],
        ...['--input-type=module', '--eval', code],
      ],
      { stdio: 'pipe' },
    );

  test('is held neither in its work nor at its end by a reader that never reads', async () => {
    const child = start();
    await once(child.stderr, 'data');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('goes on when the reader does, says how much is missing, and loses no last line', async () => {
    const child = start();
    await once(child.stderr, 'data');
    let read = '';
    child.stdout.on('data', (bytes: Buffer) => (read += bytes.toString()));
    await new Promise<void>((resolve) => {
      child.stdout.on('data', () => read.includes('\nlost ') && resolve());
    });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = read.trimEnd().split('\n');
    const shown = lines.filter((line) => line.startsWith('line ')).length;
    expect(lines.slice(shown)).toEqual([`lost ${5000 - shown}`, 'the last line']);
    expect(shown).toBeGreaterThan(1000);
  });
});
