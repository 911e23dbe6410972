import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parseDockerfile, type Stage } from '../harness/dockerfile.ts';
import { describeUnless } from '../harness/skip-without.ts';
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
