import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import YAML from 'yaml';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

export const CHART = pathOf('deploy/helm/monero-node');

/** Ways to install the chart, as `--set` wants them; by the name of what is kept in apps/daemon-e2e/fixtures/helm. */
export const RENDERINGS = {
  plain: [],
  everything: [
    'network=stagenet',
    'pruned=false',
    'antiAffinity=soft',
    'login.value=user:password',
    'seed.from=10.0.0.1:18091',
    'seed.keySecret=chain-key',
    'storage.className=fast',
    'storage.snapshot=chain-1',
    'serviceMonitor.enabled=true',
    'serviceMonitor.labels.release=prometheus',
    'autoscaling.enabled=true',
    'networkPolicy.clientsFrom.team=wallets',
    'nodeSelector.disk=nvme',
    'extraArgs={--log-format=json}',
    'tolerations[0].key=chain',
  ],
} as const satisfies Record<string, readonly string[]>;
export type Rendering = keyof typeof RENDERINGS;

/** An object of Kubernetes, as far as the tests look at it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Returns what helm makes of the chart, for the release `wallets` in the namespace `monero`; undefined where helm is not installed. */
export function renderChart(rendering: Rendering): string | undefined {
  const sets = RENDERINGS[rendering].flatMap((set) => ['--set', set]);
  const args = ['template', 'wallets', CHART, '--namespace', 'monero', ...sets];
  const { error, status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`helm: ${stderr}`);
  return stdout;
}

/** Returns what is kept of a rendering. */
export const keptRendering = (rendering: Rendering): string =>
  readFileSync(pathOf(`apps/daemon-e2e/fixtures/helm/${rendering}.yaml`), 'utf8');

/** Returns the objects of a rendering. */
export const objectsIn = (text: string): KubeObject[] =>
  YAML.parseAllDocuments(text).map((document) => document.toJSON() as KubeObject);
