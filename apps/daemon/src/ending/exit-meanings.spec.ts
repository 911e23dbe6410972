import { readFileSync } from 'node:fs';
import { EXIT } from './exit-codes.ts';
import { EXIT_MEANINGS } from './exit-meanings.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('every exit status has a meaning', () => {
  expect(EXIT_MEANINGS.map(({ status }) => status)).toEqual(Object.values(EXIT));
});

test('docs/operating/service.md lists every exit status', () => {
  const rows = [...read('docs/operating/service.md').matchAll(/^\| +(\d+) \| (.*?) +\|/gm)];
  expect(rows.map(([, status, text]) => [Number(status), text])).toEqual(
    EXIT_MEANINGS.map(({ status, meaning }) => [status, meaning]),
  );
});

test('docs/operating/service.md says after which of them systemd restarts the daemon', () => {
  const answers = [
    ...read('docs/operating/service.md').matchAll(/^\| +\d+ \| .*\| (yes|no) +\|$/gm),
  ];
  expect(answers.map(([, answer]) => answer === 'yes')).toEqual(
    EXIT_MEANINGS.map(({ restart }) => restart),
  );
});

test('systemd restarts the daemon only after failures that a restart can mend', () => {
  const unit = read('deploy/systemd/monero-node.service');
  const prevented = /^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number);
  // Restart=on-failure restarts nothing after 0; neither the chain tool nor doctor is a service.
  const ofService = EXIT_MEANINGS.filter(
    ({ status }) => status !== EXIT.interrupted && status !== EXIT.warnings && status !== 0,
  );
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(prevented).toEqual(
    ofService.filter(({ restart }) => !restart).map(({ status }) => status),
  );
});
