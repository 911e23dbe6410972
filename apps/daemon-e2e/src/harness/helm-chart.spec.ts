import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import YAML from 'yaml';
import {
  CHART,
  keptRendering,
  objectsIn,
  renderChart,
  RENDERINGS,
  type KubeObject,
  type Rendering,
} from './helm-chart.ts';

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
const templates = readdirSync(join(CHART, 'templates')).map((name) => read(`templates/${name}`));
const all = Object.keys(RENDERINGS) as Rendering[];

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { path: string; port: string };
    readonly failureThreshold: number;
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: unknown;
}
interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: unknown;
}
interface SetSpec {
  readonly replicas?: number;
  readonly serviceName: string;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: PodSpec;
  };
  readonly volumeClaimTemplates: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: unknown;
  }[];
}

/** Returns the objects of one kind. */
const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind);
const setOf = (rendering: Rendering): SetSpec =>
  ofKind(objectsIn(keptRendering(rendering)), 'StatefulSet')[0]?.spec as unknown as SetSpec;

test.each(all)('what is kept of the rendering %s is what helm makes', (rendering) => {
  const rendered = renderChart(rendering);
  // Without helm, the tests below read what is kept.
  if (rendered !== undefined) expect(rendered).toBe(keptRendering(rendering));
});

test('every value that a template uses has a default and a place in the schema', () => {
  const values = YAML.parse(read('values.yaml')) as unknown;
  const schema = JSON.parse(read('values.schema.json')) as Schema;
  const used = new Set(
    templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map((m) => m[1] ?? '')),
  );
  expect(used.size).toBeGreaterThan(20);
  for (const path of used) {
    let value: unknown = values;
    let place: Schema | undefined = schema;
    for (const name of path.split('.')) {
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
      place = place?.properties?.[name];
    }
    expect([path, value === undefined, place === undefined]).toEqual([path, false, false]);
  }
});

test('every value has a use', () => {
  const text = templates.join('\n');
  const leaves = (value: unknown, path: string): string[] =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !text.includes(`.Values${path}`)
      ? Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}.${name}`))
      : [path];
  for (const path of leaves(YAML.parse(read('values.yaml')), ''))
    expect([path, text.includes(`.Values${path}`)]).toEqual([path, true]);
});

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(readFileSync(join(CHART, '../../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(YAML.parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

describe.each(all)('the rendering %s', (rendering) => {
  const objects = objectsIn(keptRendering(rendering));
  const { selector, serviceName, template, volumeClaimTemplates } = setOf(rendering);
  const [container] = template.spec.containers;
  const options = container.args.map((arg) => arg.split('=')[0] ?? '');
  const valueOf = (option: string): string | undefined =>
    container.args.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1);

  test('starts the daemon with options that there are, each once', () => {
    const documented = readFileSync(join(CHART, '../../../docs/reference/options.md'), 'utf8');
    for (const option of options)
      expect([option, documented.includes(`\`${option}`)]).toEqual([option, true]);
    expect(new Set(options).size).toBe(options.length);
  });

  test('names the ports on which the daemon listens', () => {
    expect(container.ports).toEqual([
      { name: 'peers', containerPort: Number(valueOf('--p2p-bind-port')) },
      { name: 'rpc', containerPort: Number(valueOf('--rpc-restricted-bind-port')) },
      { name: 'metrics', containerPort: Number(valueOf('--metrics-bind-port')) },
    ]);
  });

  test('asks for health at the port that needs no login', () => {
    for (const [probe, path] of [
      ['startupProbe', '/health/live'],
      ['livenessProbe', '/health/live'],
      ['readinessProbe', '/health/ready'],
    ] as const)
      expect(container[probe]?.httpGet).toEqual({ path, port: 'rpc' });
  });

  test('selects its own pods everywhere', () => {
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    for (const { spec } of ofKind(objects, 'Service'))
      expect(spec['selector']).toEqual(selector.matchLabels);
    expect(ofKind(objects, 'PodDisruptionBudget')[0]?.spec['selector']).toEqual(selector);
    expect(ofKind(objects, 'NetworkPolicy')[0]?.spec['podSelector']).toEqual(selector);
    expect(JSON.stringify(template.spec)).toContain(
      `"topologyKey":"kubernetes.io/hostname","labelSelector":${JSON.stringify(selector)}`,
    );
  });

  test('finds all nodes by the service without an address', () => {
    const nodes = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === serviceName);
    expect(nodes?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(valueOf('--fleet-node')).toBe(`${serviceName}.monero.svc.cluster.local:18089`);
  });

  test('lets a node drain and write before it is killed', () => {
    const drain = Number(valueOf('--drain-seconds'));
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 60);
  });

  test('mounts every volume that it has', () => {
    const volumes = [
      ...template.spec.volumes.map(({ name }) => name),
      ...volumeClaimTemplates.map(({ metadata }) => metadata.name),
    ];
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
  });

  test('runs without rights', () => {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const dockerfile = readFileSync(join(CHART, '../../docker/Dockerfile'), 'utf8');
    const uid = Number(/--uid (\d+)/.exec(dockerfile)?.[1]);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid });
  });
});

test('what is off by default is there when it is wanted', () => {
  const kinds = (rendering: Rendering) =>
    objectsIn(keptRendering(rendering))
      .map(({ kind }) => kind)
      .sort();
  const usual = ['NetworkPolicy', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet'];
  expect(kinds('plain')).toEqual(usual);
  const more = ['HorizontalPodAutoscaler', 'Secret', 'ServiceMonitor'];
  expect(kinds('everything')).toEqual([...usual, ...more].sort());
  expect(setOf('plain').replicas).toBe(3);
  // The autoscaler decides.
  expect(setOf('everything').replicas).toBeUndefined();
  const [claim] = setOf('everything').volumeClaimTemplates;
  expect(claim?.spec).toMatchObject({
    storageClassName: 'fast',
    dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'chain-1' },
  });
});

test('a chain is copied with the key of a Secret, and the first start has the time for it', () => {
  const [container] = setOf('everything').template.spec.containers;
  const file = container.args.find((arg) => arg.startsWith('--seed-key-file='))?.split('=')[1];
  const { volumeMounts, startupProbe } = container;
  const mount = volumeMounts.find(({ name }) => name === 'seed-key');
  expect(`${mount?.mountPath}/seed-key`).toBe(file);
  expect(container.args).toContain('--seed-from=10.0.0.1:18091');
  expect(startupProbe?.failureThreshold).toBeGreaterThan(
    setOf('plain').template.spec.containers[0].startupProbe?.failureThreshold ?? Infinity,
  );
  expect(setOf('plain').template.spec.containers[0].args.join()).not.toContain('--seed-');
});

test('the autoscaler and the rules of Prometheus ask for a metric that there is', () => {
  const monitoring = readFileSync(join(CHART, '../../../docs/operating/monitoring.md'), 'utf8');
  const [scaler] = ofKind(objectsIn(keptRendering('everything')), 'HorizontalPodAutoscaler');
  const name = /"metric":\{"name":"(\w+)"\}/.exec(JSON.stringify(scaler?.spec))?.[1];
  expect(monitoring).toContain(`\`${name}\``);
  const [monitor] = ofKind(objectsIn(keptRendering('everything')), 'ServiceMonitor');
  const label = String(monitor?.spec['jobLabel']);
  expect(monitor?.metadata.labels[label]).toBe('monero-node');
});
