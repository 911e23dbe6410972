import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { readBuffered } from '@monero-node/base/testing';
import { Terminal } from '../terminal/terminal.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';
import { Console } from './console.ts';

describe('the console without a terminal', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'console-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const consoleOn = (
    daemon: FakeDaemon,
    examine?: () => Promise<string>,
    reload?: () => Promise<string>,
  ) => {
    const input = new PassThrough();
    const output = new PassThrough();
    let ended = (): void => undefined;
    let isEnded = false;
    const end = new Promise<void>((resolve) => {
      ended = () => {
        isEnded = true;
        resolve();
      };
    });
    const console = new Console({
      daemon,
      examine,
      reload,
      input,
      terminal: new Terminal(output),
      historyPath: join(dir, 'history'),
      onEnd: () => ended(),
      onInterrupt: () => undefined,
    });
    console.start();
    return {
      console,
      input,
      printed: () => readBuffered(output),
      end,
      hasEnded: () => isEnded,
    };
  };

  test('lines are answered in order, and all before the end of input stops the daemon', async () => {
    const daemon = new FakeDaemon({ '/get_height': { height: 3 } });
    const { input, printed, end } = consoleOn(daemon);
    input.end('print_height\n\n  set_log 9 \nlimit\nprint_height');
    await end;
    expect(printed().split('\n')).toEqual([
      '3',
      'Invalid syntax: the log level is a number from 0 to 4. For more details, use the help command.',
      'Error: not available from this daemon',
      '3',
      '',
    ]);
  });

  test('doctor examines the node of the console', async () => {
    const { input, printed, end } = consoleOn(new FakeDaemon({}), async () => 'all is well');
    input.end('doctor');
    await end;
    expect(printed()).toBe('all is well\n');
  });

  test('reload has the node of the console reload its config file', async () => {
    const reload = async (): Promise<string> => '1 change is taken over';
    const { input, printed, end } = consoleOn(new FakeDaemon({}), undefined, reload);
    input.end('reload');
    await end;
    expect(printed()).toBe('1 change is taken over\n');
  });

  test('stopped, it does not report the end of input', async () => {
    const { console, input, hasEnded } = consoleOn(new FakeDaemon({}));
    await console.stop();
    input.end();
    input.resume();
    await once(input, 'end');
    // The console would report the end within the same round of the event loop.
    await new Promise(setImmediate);
    expect(hasEnded()).toBe(false);
  });
});
