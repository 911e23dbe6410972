import { silentLogger } from '@monero-node/base';
import { FakeRegistry } from '../testing/fake-registry.ts';
import { UpdateKeeper } from './update-keeper.ts';

let registry: FakeRegistry;
let keeper: UpdateKeeper;
beforeEach(async () => {
  registry = await FakeRegistry.open();
  keeper = new UpdateKeeper(
    { mode: 'disabled', registry: registry.url, folder: '/nowhere' },
    { packageName: '@a/b', version: '1.0.0', logger: silentLogger, now: () => 1_700_000_000 },
  );
});
afterEach(async () => {
  await keeper.stop();
  await registry.close();
});

test('what a check found, and why the last one failed', async () => {
  const nothing = { mode: 'disabled', checkedAt: undefined, newer: undefined, failure: undefined };
  expect(keeper.state).toEqual(nothing);
  await keeper.check();
  const found = { ...nothing, checkedAt: 1_700_000_000, newer: '2.0.0' };
  expect(keeper.state).toEqual(found);
  registry.onManifest = (_, to) => to.end('{');
  await expect(keeper.check()).rejects.toThrow('not JSON');
  expect(keeper.state).toEqual({ ...found, failure: expect.stringContaining('not JSON') });
  registry.onManifest = undefined;
  registry.manifest = { version: '1.0.0' };
  await keeper.check();
  expect(keeper.state).toEqual({ ...nothing, checkedAt: 1_700_000_000 });
});
