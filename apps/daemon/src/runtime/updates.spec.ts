import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import type { Alert } from '../alerts/alert.ts';
import { Alerts } from '../alerts/alerts.ts';
import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { FakeRegistry } from '../testing/fake-registry.ts';
import { PACKAGE_NAME } from '../version.ts';
import { createUpdates } from './updates.ts';

let registry: FakeRegistry;
let folder: string;
beforeEach(async () => {
  registry = await FakeRegistry.open();
  folder = mkdtempSync(join(tmpdir(), 'updates-'));
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

test('a newer version is an alert in the words of the log', async () => {
  const { port } = registry;
  registry.onManifest = (_, response) => {
    const integrity = `sha512-${Buffer.from(registry.hash, 'hex').toString('base64')}`;
    const dist = { tarball: `http://127.0.0.1:${port}/npm/b-99.0.0.tgz`, integrity };
    response.end(JSON.stringify({ name: PACKAGE_NAME, version: '99.0.0', dist }));
  };
  const words = ['--data-dir', folder, '--check-updates', 'notify', '--update-registry'];
  const settings = makeDaemonSettings(parseArguments([...words, registry.url.href]).values);
  const lines: string[] = [];
  const logger = { ...silentLogger, info: (line: string) => void lines.push(line) };
  const alerts = new Alerts({ now: () => 0, unixTime: () => 0 });
  const { part } = createUpdates(settings, { ...logger, child: () => logger }, alerts);
  await part.start();
  const [alert] = (await once(alerts, 'alert')) as [Alert];
  expect(alert).toMatchObject({ kind: 'update', data: { version: '99.0.0' } });
  expect(lines).toEqual([alert.message]);
  await part.stop();
});
