// Writes an image for containers without a program that builds images: an OCI layout in one tar file, for both processors. Its
// settings are those of the last stage of deploy/docker/Dockerfile; its base is a few packages of Debian.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../publish/packages.mjs';
import { launcher, PROGRAMS } from './launcher.mjs';
import { DEBIAN, LOADERS } from './platforms.mjs';
import { compress, normalize, packTar } from './same-bytes.mjs';

const USER = { name: 'monero-node', id: 980, home: '/var/lib/monero-node' };
const FILES = {
  'etc/passwd': `root:x:0:0:root:/root:/bin/sh\n${USER.name}:x:${USER.id}:${USER.id}:Monero node:${USER.home}:/usr/sbin/nologin\n`,
  'etc/group': `root:x:0:\n${USER.name}:x:${USER.id}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};
/** Parts of Debian's packages that no running program needs. */
const NOT_NEEDED = ['usr/lib/*/gconv', 'usr/share/lintian', 'usr/share/locale', 'usr/share/man'];

/** Returns [name, rest of the line] of each instruction of the last stage of a Dockerfile. */
export function lastStage(dockerfile) {
  const lines = dockerfile
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const start = lines.findLastIndex((line) => /^FROM\s/.test(line));
  return lines.slice(start + 1).map((line) => {
    const end = line.search(/\s/);
    return [line.slice(0, end), line.slice(end).trim()];
  });
}

/** Returns nanoseconds of a duration such as 30s or 10m. */
function nanoseconds(text) {
  const [, number, unit] = /^(\d+)([sm])$/.exec(text);
  return Number(number) * (unit === 'm' ? 60 : 1) * 1e9;
}

function healthcheck(text) {
  const [options, command] = text.split(/\sCMD\s/);
  const option = (name) => new RegExp(`--${name}=(\\S+)`).exec(options)?.[1];
  return {
    Test: ['CMD', ...JSON.parse(command)],
    Interval: nanoseconds(option('interval')),
    Timeout: nanoseconds(option('timeout')),
    StartPeriod: nanoseconds(option('start-period')),
    Retries: Number(option('retries')),
  };
}

/** Returns the settings of a container that a Dockerfile makes, as an image has them. */
export function settingsOf(dockerfile) {
  const stage = lastStage(dockerfile);
  const all = (name) => stage.filter((each) => each[0] === name).map(([, text]) => text);
  const places = (name, suffix = '') =>
    Object.fromEntries(
      all(name).flatMap((text) => text.split(/\s+/).map((each) => [each + suffix, {}])),
    );
  return {
    User: all('USER').at(-1),
    ExposedPorts: places('EXPOSE', '/tcp'),
    Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...all('ENV')],
    Entrypoint: JSON.parse(all('ENTRYPOINT').at(-1)),
    Volumes: places('VOLUME'),
    WorkingDir: all('WORKDIR').at(-1),
    StopSignal: all('STOPSIGNAL').at(-1),
    Healthcheck: healthcheck(all('HEALTHCHECK').at(-1)),
  };
}

/** Fills the root of an image with Debian's packages and the files that describe its users. */
function fillBase(root, packages) {
  mkdirSync(root, { recursive: true });
  for (const file of packages) execFileSync('dpkg-deb', ['--extract', file, root]);
  execFileSync('sh', ['-c', `rm -rf ${NOT_NEEDED.join(' ')}`], { cwd: root });
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  mkdirSync(join(root, 'bin'), { recursive: true });
  if (!readdirSync(join(root, 'bin')).includes('sh')) symlinkSync('busybox', join(root, 'bin/sh'));
  mkdirSync(join(root, 'root'));
}

/** Fills the root of an image with the daemon. */
function fillDaemon(root, tree, loader, licenses) {
  cpSync(tree, join(root, 'usr/lib/monero-node'), { recursive: true });
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/monero-node/node', join(root, 'usr/bin/node'));
  for (const name of Object.keys(PROGRAMS))
    writeFileSync(join(root, 'usr/bin', name), launcher(name, '../lib/monero-node', loader), {
      mode: 0o755,
    });
  const documents = join(root, 'usr/share/doc/monero-node');
  mkdirSync(documents, { recursive: true });
  writeFileSync(join(documents, 'copyright'), licenses);
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** An OCI layout in a folder. */
class Layout {
  #folder;

  constructor(folder) {
    this.#folder = folder;
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  }

  /** Adds a JSON document and returns its descriptor. */
  addJson(mediaType, value) {
    const text = JSON.stringify(value);
    const digest = sha256(text);
    writeFileSync(join(this.#folder, 'blobs/sha256', digest), text);
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  }

  /** Adds a layer with what is in a folder and returns { descriptor, diffId }. */
  addLayer(root, seconds, owners = []) {
    normalize(root, seconds);
    const tar = join(this.#folder, 'layer.tar');
    packTar(tar, root, readdirSync(root).sort(), seconds);
    for (const { path, id, mode } of owners) appendFolder(tar, { path, id, mode, seconds });
    const diffId = `sha256:${sha256(readFileSync(tar))}`;
    const file = compress(tar);
    const digest = sha256(readFileSync(file));
    const { size } = statSync(file);
    renameSync(file, join(this.#folder, 'blobs/sha256', digest));
    const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip';
    return { descriptor: { mediaType, digest: `sha256:${digest}`, size }, diffId };
  }

  /** Packs the layout with an index that names these manifests. */
  pack(file, manifests, seconds) {
    const index = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests,
    };
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify(index));
    normalize(this.#folder, seconds);
    packTar(file, this.#folder, ['oci-layout', 'index.json', 'blobs'], seconds);
    rmSync(this.#folder, { recursive: true });
  }
}

/** Adds an empty folder with an owner of its own to a tar file. */
function appendFolder(tar, { path, id, mode, seconds }) {
  const parent = `${tar}.folder`;
  mkdirSync(join(parent, path), { recursive: true });
  const how = [
    `--owner=${id}`,
    `--group=${id}`,
    '--numeric-owner',
    `--mode=${mode}`,
    '--format=ustar',
  ];
  const time = [`--mtime=@${seconds}`, '--no-recursion'];
  execFileSync('tar', ['-rf', tar, ...how, ...time, '-C', parent, path]);
  rmSync(parent, { recursive: true });
}

/**
 * Writes the image; returns the path of the tar file.
 *
 * @param trees the trees of `makeTree` by processor
 * @param packages paths of Debian's packages by processor
 */
export function makeImage({ trees, packages, version, licenses, folder, scratch, seconds }) {
  const layout = new Layout(join(scratch, 'layout'));
  const config = settingsOf(readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8'));
  const created = new Date(seconds * 1000).toISOString().replace('.000', '');
  const labels = {
    'org.opencontainers.image.title': 'monero-node',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'BSD-3-Clause',
  };
  const manifests = Object.entries(trees).map(([processor, tree]) => {
    const base = join(scratch, `base-${processor}`);
    const daemon = join(scratch, `daemon-${processor}`);
    fillBase(base, packages[processor]);
    fillDaemon(daemon, tree, LOADERS[processor], licenses);
    const layers = [
      layout.addLayer(base, seconds, [
        { path: 'tmp', id: 0, mode: '1777' },
        { path: USER.home.slice(1), id: USER.id, mode: '700' },
      ]),
      layout.addLayer(daemon, seconds),
    ];
    for (const each of [base, daemon]) rmSync(each, { recursive: true });
    const platform = { architecture: DEBIAN[processor], os: 'linux' };
    const image = layout.addJson('application/vnd.oci.image.config.v1+json', {
      created,
      ...platform,
      config: { ...config, Labels: labels },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(() => ({ created, created_by: 'npm run release' })),
    });
    const manifest = layout.addJson('application/vnd.oci.image.manifest.v1+json', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: image,
      layers: layers.map(({ descriptor }) => descriptor),
    });
    return { ...manifest, platform };
  });
  const index = layout.addJson('application/vnd.oci.image.index.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests,
  });
  const file = join(folder, `monero-node-${version}-oci.tar`);
  const name = {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `monero-node:${version}`,
  };
  layout.pack(file, [{ ...index, annotations: name }], seconds);
  return file;
}
