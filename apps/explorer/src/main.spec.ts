import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Where nothing listens. */
const NOWHERE = '127.0.0.1:1';

test('a network that is not there is refused before anything is opened, with status 2', async () => {
  const options = ['--database', `postgres://${NOWHERE}/none`, '--nats', `nats://${NOWHERE}`];
  const program = spawn(process.execPath, [PROGRAM, ...options, '--network', 'nonsense']);
  const [said, [status]] = await Promise.all([text(program.stderr), once(program, 'close')]);
  expect(said).toMatch(/^no network nonsense; --network takes mainnet, /);
  expect(status).toBe(2);
}, 60_000);
