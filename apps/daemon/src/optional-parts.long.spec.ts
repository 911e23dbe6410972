/** @jest-environment node */
import { jest } from '@jest/globals';
import { isPageServed, loadOptionalParts } from './optional-parts.ts';

/** Options of a node without optional parts. */
const PLAIN = {
  metrics: undefined,
  events: undefined,
  seedServer: undefined,
  alerts: { webhook: undefined },
  p2p: {},
  rpc: { bindPort: 0, page: 'none' },
} as const;
const PROXY = { host: '127.0.0.1', port: 9050, version: '5' } as const;

/** Makes the import of a module fail, as when its file is missing. */
function withoutModule(name: string): void {
  jest.unstable_mockModule(name, () => {
    throw new Error(`Cannot find module '${name}'`);
  });
}

test('a node without optional parts loads none', async () => {
  withoutModule('socks');
  withoutModule('./page/open-node-page.ts');
  expect(await loadOptionalParts(PLAIN)).toEqual({
    createMetrics: undefined,
    EventPublisher: undefined,
    SeedServer: undefined,
    Webhook: undefined,
    openNodePage: undefined,
  });
});

test('code that is missing is reported at the start, with the option that needs it', async () => {
  withoutModule('./page/open-node-page.ts');
  const rpc = { bindPort: 0 };
  await expect(loadOptionalParts({ ...PLAIN, rpc })).rejects.toThrow(
    "code for --rpc-page cannot be loaded, install the node again: Cannot find module './page/open-node-page.ts'",
  );
});

test('the code of webhooks is loaded at the start, where one is to be told of alerts', async () => {
  withoutModule('./alerts/webhook.ts');
  const webhook = { url: new URL('http://127.0.0.1/'), secret: undefined, isLocal: true };
  await expect(loadOptionalParts({ ...PLAIN, alerts: { webhook } })).rejects.toThrow(
    'code for --alert-webhook cannot be loaded, install the node again',
  );
});

test.each([
  { p2p: { proxy: PROXY } },
  { p2p: { anonymityZones: [{ zone: 'tor', proxy: PROXY }] } },
  { rpc: { bindPort: 0, page: 'none', proxy: PROXY } },
  { rpc: { bindPort: 0, page: 'none', bootstrapDaemon: { address: 'auto', proxy: PROXY } } },
] as const)('the library of SOCKS is loaded at the start with %j', async (options) => {
  withoutModule('socks');
  await expect(loadOptionalParts({ ...PLAIN, ...options } as never)).rejects.toThrow(
    "code for SOCKS proxies cannot be loaded, install the node again: Cannot find module 'socks'",
  );
});

test.each([
  [true, { restrictedRpc: false }],
  [true, { restrictedRpc: false, page: 'owner' }],
  [false, { restrictedRpc: true }],
  [false, { restrictedRpc: true, restrictedBindPort: 1 }],
  [true, { restrictedRpc: true, page: 'all' }],
  [false, { restrictedRpc: false, restrictedBindPort: 1, page: 'none' }],
] as const)('the page is served: %s with %j', (isServed, options) => {
  expect(isPageServed(options)).toBe(isServed);
});
