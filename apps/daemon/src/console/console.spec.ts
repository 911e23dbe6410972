import { PassThrough } from 'node:stream';
import { Console } from './console.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';

const daemonWith = (answers: ConstructorParameters<typeof FakeDaemon>[0]) =>
  new FakeDaemon(answers);

describe('the console', () => {
  const consoleOn = (daemon: FakeDaemon) => {
    const input = new PassThrough();
    const printed: string[] = [];
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const console = new Console({
      daemon,
      input,
      print: (text) => printed.push(text),
      onEnd: ended,
    });
    console.start();
    return { console, input, printed, end };
  };

  test('lines are answered in order, and all before the end of input stops the daemon', async () => {
    const { input, printed, end } = consoleOn(daemonWith({ '/get_height': { height: 3 } }));
    input.end('print_height\n\n  set_log 9 \nlimit\nprint_height');
    await end;
    expect(printed).toEqual([
      '3',
      'Invalid syntax: the log level is a number from 0 to 4. For more details, use the help command.',
      'Error: not available from this daemon',
      '3',
    ]);
  });

  test('stopped, it does not report the end of input', async () => {
    const { console, input, end } = consoleOn(daemonWith({}));
    console.stop();
    input.end();
    const outcome = await Promise.race([
      end.then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 30, 'quiet')),
    ]);
    expect(outcome).toBe('quiet');
  });
});
