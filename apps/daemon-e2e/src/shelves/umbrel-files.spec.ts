import { readFileSync } from 'node:fs';
import YAML from 'yaml';

const FOLDER = new URL('../../../../deploy/umbrel/monero-node-ts/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

interface Service {
  readonly image?: string;
  readonly command?: string;
  readonly environment: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [other: string]: unknown;
}
const { services } = YAML.parse(read('docker-compose.yml')) as {
  services: Readonly<Record<'app_proxy' | 'node' | 'connect' | 'tor', Service>>;
};
const manifest = YAML.parse(read('umbrel-app.yml')) as Readonly<Record<string, unknown>>;
const exported = new Map(
  [...read('exports.sh').matchAll(/^export (\w+)="([^"]*)"$/gm)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);
const NODE = services.node;

test('the manifest has every field of the store, and the id that folder and containers are named after', () => {
  expect(Object.keys(manifest)).toEqual([
    ...['manifestVersion', 'id', 'category', 'name', 'version', 'tagline', 'description'],
    ...['releaseNotes', 'developer', 'website', 'dependencies', 'repo', 'support', 'port'],
    ...['gallery', 'path', 'defaultUsername', 'defaultPassword', 'deterministicPassword'],
    ...['backupIgnore', 'submitter', 'submission'],
  ]);
  expect(FOLDER.pathname.split('/').at(-2)).toBe(manifest['id']);
  expect(services.app_proxy.environment['APP_HOST']).toBe(`${String(manifest['id'])}_connect_1`);
});

test('the version is that of the image, and the same image serves the page of the app', () => {
  const { image } = NODE;
  expect(image).toMatch(
    new RegExp(
      `^ghcr\\.io/monero-node/monero-node:${String(manifest['version'])}(@sha256:[0-9a-f]{64})?$`,
    ),
  );
  expect(services.connect.image).toBe(image);
});

test('no port of the machine is used twice, and none is one of monerod', () => {
  const outer = (NODE.ports ?? []).map((port) =>
    exported.get(/^\$\{(\w+)\}:/.exec(port)?.[1] ?? ''),
  );
  const all = [...outer.map(Number), manifest['port']];
  expect(all).toEqual([18180, 18181, 18183, 18189, 18184]);
  expect(new Set(all).size).toBe(all.length);
});

test('every published port is one that the options of the node open', () => {
  const script = read('exports.sh');
  const inner = (NODE.ports ?? []).map((port) => port.split(':')[1]);
  expect(inner).toEqual(['18080', '18081', '18083', '18089']);
  expect(script).toContain('--zmq-pub=tcp://0.0.0.0:18083');
  expect(script).toContain('--rpc-restricted-bind-port=18089');
});

test('the login is the one that the store shows, and is not on the command line', () => {
  expect(manifest).toMatchObject({ defaultUsername: 'monero', deterministicPassword: true });
  expect(NODE.environment['RPC_LOGIN']).toBe('monero:${APP_PASSWORD}');
  expect(read('exports.sh')).not.toMatch(/rpc-login|APP_PASSWORD/);
});

test('chain and Tor keys outlive a container, and the chain is not in backups', () => {
  expect(NODE.volumes).toEqual(['${APP_DATA_DIR}/data/node:/var/lib/monero-node']);
  expect(services.tor.volumes).toContain('${TOR_DATA_DIR}:/data');
  expect(manifest['backupIgnore']).toContain('data/node/lmdb/*');
});

test('the health check asks the port of the RPC for a path that needs no login', () => {
  expect(NODE.healthcheck?.test.at(-1)).toContain('http://127.0.0.1:18081/health/live');
});

test.each(['docker-compose.yml', 'torrc.template', 'connect.html.template'])(
  '%s uses only variables that Umbrel or exports.sh sets',
  (name) => {
    const given = new Set([
      ...['APP_ID', 'APP_DATA_DIR', 'APP_PASSWORD', 'DEVICE_DOMAIN_NAME', 'TOR_DATA_DIR'],
      ...['APP_MONERO_NODE_TS_COMMAND', 'APP_MONERO_NODE_TS_RPC_HIDDEN_SERVICE'],
      ...['APP_MONERO_NODE_TS_P2P_HIDDEN_SERVICE', ...exported.keys()],
    ]);
    const used = [...read(name).matchAll(/\$\{?([A-Z0-9_]+)\}?/g)].map(([, variable]) => variable);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((variable) => !given.has(variable ?? ''))).toEqual([]);
  },
);

test('the page of the app shows the addresses for wallets, on the network and on Tor', () => {
  const page = read('connect.html.template');
  expect(page).toContain('$DEVICE_DOMAIN_NAME:$APP_MONERO_NODE_TS_RESTRICTED_RPC_PORT');
  expect(page).toContain('$APP_MONERO_NODE_TS_RPC_HIDDEN_SERVICE:18089');
  expect(read('torrc.template')).toMatch(
    /^HiddenServicePort 18089 \$APP_MONERO_NODE_TS_NODE_IP:18089$/m,
  );
});
