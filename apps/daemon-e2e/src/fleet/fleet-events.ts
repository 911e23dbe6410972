import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { guardEmitter, guardServer } from '@monero-node/base';
import { FLEET_FILES } from '../harness/haproxy.ts';
import { LOOPBACK } from '../harness/ports.ts';
import { urlOf, type Fleet } from './fleet.ts';
import type { FleetNode } from './fleet-node.ts';

/** How the upgrade script ended. */
export interface UpgradeResult {
  readonly status: number;
  readonly output: string;
  /** The steps that it had taken, in order. */
  readonly steps: readonly string[];
}

export interface UpgradeOptions {
  /** Nodes to upgrade; the others only have to be ready. */
  readonly nodes: readonly FleetNode[];
  /** Seconds for which the script waits. */
  readonly ready: number;
  /** Number of the other nodes that have to be ready. */
  readonly others: number;
  /** Names of steps that fail, or do nothing and report success. */
  readonly broken?: readonly string[];
  readonly idle?: readonly string[];
}

/** Serves the steps of the upgrade script: POST /stop/NODE, /upgrade/NODE and /start/NODE. */
async function serveSteps(
  { nodes }: Fleet,
  { broken = [], idle = [] }: UpgradeOptions,
  steps: string[],
): Promise<{ server: Server; url: string }> {
  const act = async (step: string, name: string): Promise<void> => {
    steps.push(`${step} ${name}`);
    if (broken.includes(step)) throw new Error('broken');
    const node = nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`no node ${name}`);
    if (idle.includes(step) || step === 'upgrade') return;
    await (step === 'stop' ? node.stop() : node.start());
  };
  const server = guardServer(
    createServer((request, response) => {
      const [, step = '', name = ''] = (request.url ?? '').split('/');
      act(step, name).then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }),
  );
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `http://${LOOPBACK}:${address.port}` };
}

/** Runs deploy/fleet/rolling-upgrade on nodes of a fleet. */
export async function upgrade(fleet: Fleet, options: UpgradeOptions): Promise<UpgradeResult> {
  const steps: string[] = [];
  const { server, url } = await serveSteps(fleet, options, steps);
  const step = (name: string): string[] => [
    ...[`--${name}`, `curl --silent --fail --request POST "${url}/${name}/$NODE"`],
  ];
  const args = [
    ...[...step('stop'), ...step('upgrade'), ...step('start')],
    ...['--ready', String(options.ready), '--steady', '2', '--others', String(options.others)],
    ...options.nodes.map((node) => `${node.name}=${urlOf(node)}`),
  ];
  const result = await new Promise<{ status: number; output: string }>((resolve) => {
    const program = join(FLEET_FILES, 'rolling-upgrade');
    guardEmitter(
      execFile(program, args, { timeout: 180_000 }, (error, stdout, stderr) => {
        const status = error === null ? 0 : Number(error.code ?? -1);
        resolve({ status, output: stdout + stderr });
      }),
    );
  });
  server.close();
  return { ...result, steps };
}
