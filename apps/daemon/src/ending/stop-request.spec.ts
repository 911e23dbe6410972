import { jest } from '@jest/globals';
import { EXIT } from './exit-codes.ts';
import { StopRequest } from './stop-request.ts';

let now: number;
let exit: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  now = 5000;
  exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
});
afterEach(() => {
  exit.mockRestore();
});

test('a signal asks the daemon to stop; the same one by another way does nothing', async () => {
  const stop = new StopRequest(() => now);
  stop.signal();
  await stop.requested;
  now += 900;
  stop.signal();
  expect(exit).not.toHaveBeenCalled();
  expect(stop.status).toBe(EXIT.ok);
});

test('a later signal ends the process at once', () => {
  const stop = new StopRequest(() => now);
  stop.signal();
  now += 1100;
  stop.signal();
  expect(exit).toHaveBeenCalledWith(EXIT.failed);
});

test('the status is that of the first failure', async () => {
  const stop = new StopRequest();
  stop.request();
  stop.fail(EXIT.unavailable);
  stop.fail(EXIT.failed);
  await stop.requested;
  expect(stop.status).toBe(EXIT.unavailable);
});

describe('a delayed stop', () => {
  /** Returns whether a delay of an hour has ended. */
  async function delayed(act: (stop: StopRequest) => void): Promise<boolean> {
    const stop = new StopRequest(() => now);
    stop.signal();
    let hasEnded = false;
    const delay = stop.delay(3_600_000).then(() => {
      hasEnded = true;
    });
    act(stop);
    await Promise.resolve()
      .then(() => undefined)
      .then(() => undefined);
    const result = hasEnded;
    now += 5_000;
    stop.signal();
    await delay;
    return result;
  }

  test('ends at a later signal, and the process only at the one after that', async () => {
    const ended = await delayed((stop) => {
      now += 1_100;
      stop.signal();
    });
    expect(ended).toBe(true);
    // The signal after the delay.
    expect(exit).toHaveBeenCalledTimes(1);
  });

  test('goes on at the same signal by another way', async () => {
    expect(await delayed((stop) => stop.signal())).toBe(false);
    expect(exit).not.toHaveBeenCalled();
  });

  test('ends at a failure', async () => {
    expect(await delayed((stop) => stop.fail(EXIT.unavailable))).toBe(true);
  });

  test('ends when its time is over', async () => {
    await new StopRequest(() => now).delay(1);
    expect(exit).not.toHaveBeenCalled();
  });
});
