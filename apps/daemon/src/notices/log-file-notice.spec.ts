import { silentLogger } from '@monero-node/base';
import { LogFileNotice } from './log-file-notice.ts';

test('a log file that cannot be made again is reported until there is one', async () => {
  const said: string[] = [];
  let wrong: string | undefined;
  const notice = new LogFileNotice(
    () => Promise.resolve(wrong),
    { ...silentLogger, warn: (line: string) => void said.push(line) },
    () => 0,
  );
  await notice.check();
  expect(said).toEqual([]);
  wrong = 'The log file a.log has been removed.';
  await notice.check();
  await notice.check();
  wrong = undefined;
  await notice.check();
  await notice.check();
  expect(said).toEqual(['The log file a.log has been removed.', 'The log file is there again.']);
});
