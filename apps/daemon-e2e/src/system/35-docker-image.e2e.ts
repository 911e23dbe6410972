import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import YAML from 'yaml';
import { parseDockerfile, type Stage } from '../harness/dockerfile.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, describeWith } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));
const DOCKERFILE = join(WORKSPACE, 'deploy/docker/Dockerfile');
const IMAGE = 'monero-node-e2e';

describe('deploy/docker/Dockerfile', () => {
  const stages = parseDockerfile(readFileSync(DOCKERFILE, 'utf8'));
  const final = stages.at(-1) as Stage;
  const all = (name: string): string[] =>
    final.instructions.filter((each) => each.name === name).map(({ text }) => text);

  test('builds in one stage and runs in another, on the same release of the same base', () => {
    expect(stages).toHaveLength(2);
    for (const { image } of stages) expect(image).toMatch(/^node:\d+-[a-z]+(-slim)?$/);
    expect(final.image).toBe(`${stages[0]?.image}-slim`);
  });

  test('copies what exists', () => {
    const names = stages.map(({ name }) => name);
    for (const { text } of stages.flatMap(({ instructions }) =>
      instructions.filter(({ name }) => name === 'COPY'),
    )) {
      const from = /^--from=(\S+)/.exec(text)?.[1];
      const sources = text.split(/\s+/).filter((word) => !word.startsWith('--'));
      if (from !== undefined) expect(names).toContain(from);
      else
        for (const path of sources.slice(0, -1))
          expect(existsSync(join(WORKSPACE, path))).toBe(true);
    }
    const named = readFileSync(DOCKERFILE, 'utf8').matchAll(/\bnode (tools\/\S+)/g);
    for (const [, path = ''] of named) expect(existsSync(join(WORKSPACE, path))).toBe(true);
  });

  test('runs the daemon as process 1, as a user without privileges, and checks its health', () => {
    const [entry = ''] = all('ENTRYPOINT');
    expect(JSON.parse(entry)).toEqual(expect.arrayContaining(['node', '--non-interactive']));
    expect(all('USER')).toEqual([expect.not.stringMatching(/^(root|0)\b/)]);
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM']);
    const [health = ''] = all('HEALTHCHECK');
    const command = JSON.parse(health.slice(health.indexOf('CMD') + 3)) as string[];
    expect(command.slice(0, 2)).toEqual(['node', '-e']);
    // The program of the check is valid, and fails where nothing answers.
    const script = (command[2] ?? '').replace('18081', '9');
    expect(spawnSync(process.execPath, ['-e', script]).status).toBe(1);
  });

  test('installs packages without their lists', () => {
    for (const { text } of stages.flatMap(({ instructions }) => instructions)) {
      if (!text.includes('apt-get install')) continue;
      expect(text).toContain('--no-install-recommends');
      expect(text).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });
});

const COMPOSE = join(WORKSPACE, 'deploy/docker/compose.yaml');

/** The parts of a compose file that are looked at. */
interface Service {
  readonly command?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: {
    readonly metrics: {
      readonly internal: boolean;
      readonly ipam: { readonly config: readonly { subnet: string; ip_range: string }[] };
    };
  };
}

const composeFile = YAML.parse(readFileSync(COMPOSE, 'utf8')) as Compose;

/** Returns the service of a name. Throws Error when there is none. */
function service(name: string): Service {
  const found = composeFile.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

/** Returns the names of the networks of a service. */
function networksOf({ networks = ['default'] }: Service): string[] {
  return Array.isArray(networks) ? [...(networks as string[])] : Object.keys(networks);
}

/** Returns whether a subnet such as 10.0.0.0/8 has an address. */
function hasAddress(subnet: string, address: string): boolean {
  const [base = '', prefix] = subnet.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(prefix));
  return list.check(address);
}

describe('deploy/docker/compose.yaml', () => {
  const option = (name: string): string =>
    service('monero-node')
      .command?.find((each) => each.startsWith(`--${name}=`))
      ?.slice(name.length + 3) ?? '';

  test('each container has a network of its own, so that each can start again alone', () => {
    for (const each of Object.values(composeFile.services))
      expect(each).not.toHaveProperty('network_mode');
  });

  test('the metrics are on a network without a way out, which only the monitoring shares', () => {
    const { internal, ipam } = composeFile.networks.metrics;
    expect(internal).toBe(true);
    expect(networksOf(service('prometheus'))).toEqual(['metrics']);
    expect(networksOf(service('grafana'))).toEqual(['default', 'metrics']);
    expect(networksOf(service('monero-node'))).toEqual(['default', 'metrics']);
    const address = option('metrics-bind-ip');
    expect(service('monero-node').networks).toMatchObject({ metrics: { ipv4_address: address } });
    // A container that starts earlier must not get the address of the node.
    const [{ subnet, ip_range: range } = { subnet: '', ip_range: '' }] = ipam.config;
    expect([hasAddress(subnet, address), hasAddress(range, address)]).toEqual([true, false]);
    const port = option('metrics-bind-port');
    for (const published of service('monero-node').ports ?? [])
      expect(published).not.toContain(port);
    const config = readFileSync(join(dirname(COMPOSE), 'prometheus.yml'), 'utf8');
    expect(config).toContain(`targets: ['monero-node:${port}']`);
  });

  test('mounts files that exist', () => {
    const mounts = Object.values(composeFile.services).flatMap(({ volumes = [] }) => volumes);
    const files = mounts
      .map((each) => each.split(':')[0] ?? '')
      .filter((each) => each.startsWith('.'));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(existsSync(join(dirname(COMPOSE), file))).toBe(true);
  });
});

describeWith(['promtool'], 'the configuration of Prometheus in a container', () => {
  test('is accepted by promtool, with the files as they are mounted', () => {
    const folder = newFolder('prometheus-container');
    for (const mount of service('prometheus').volumes ?? []) {
      const [from = '', to = ''] = mount.split(':');
      if (from.startsWith('.'))
        copyFileSync(join(dirname(COMPOSE), from), join(folder, basename(to)));
    }
    const { status, stdout } = spawnSync(
      'promtool',
      ['check', 'config', join(folder, 'prometheus.yml')],
      { encoding: 'utf8' },
    );
    expect(stdout).toContain('1 rule files found');
    expect(status).toBe(0);
  });
});

/** Returns why no image can be built here. */
function engineLack(): string | undefined {
  const { error, status } = spawnSync('docker', ['info'], { stdio: 'ignore' });
  if (error !== undefined) return 'not installed: docker';
  return status === 0 ? undefined : 'no docker engine runs here';
}

/** Runs docker; returns its output. Throws Error when it fails. */
function docker(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stdout}${stderr}`);
  return (stdout + stderr).trim();
}

describeUnless(engineLack(), 'the image', () => {
  test('becomes healthy and stops at SIGTERM', async () => {
    docker('build', '--file', DOCKERFILE, '--tag', IMAGE, WORKSPACE);
    const how = ['--detach', '--health-interval', '1s', IMAGE, '--regtest', '--offline'];
    const id = docker('run', ...how, '--rpc-bind-port', '18081');
    try {
      await waitUntil(
        'the container to be healthy',
        () => docker('inspect', '--format', '{{.State.Health.Status}}', id) === 'healthy',
      );
      expect(docker('exec', id, 'id', '-un')).toBe('monero-node');
      docker('stop', '--time', '60', id);
      expect(docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
      expect(docker('logs', id)).toContain('Stopped.');
    } finally {
      docker('rm', '--force', id);
    }
  }, 1_200_000);
});
