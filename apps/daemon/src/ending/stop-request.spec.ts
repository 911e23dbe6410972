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
