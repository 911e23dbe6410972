import type { NewerVersion } from '@monero-node/rpc';
import semver from 'semver';
import ssri from 'ssri';
import { httpGet, type GetLimits, type GetOptions } from './http-get.ts';
import { NotPublishedError, StatusError, UpdateError } from './update-error.ts';

/** A manifest has a few kilobytes. More would hold the event loop while it is parsed. */
const MANIFEST_LIMITS: GetLimits = {
  maxBytes: 256 * 1024,
  totalMs: 20_000,
  idleMs: 20_000,
};

const NOT_FOUND = 404;

/**
 * Returns the version that a registry names as the latest. Throws NotPublishedError when it knows none, UpdateError
 * for other failures, and the reason of the signal when that aborts.
 * Source: GET /{package}/{version} in docs/REGISTRY-API.md of the npm registry's documentation.
 */
export async function askRegistry(
  source: ManifestSource,
  options: GetOptions,
  limits: GetLimits = MANIFEST_LIMITS,
): Promise<OfferedVersion> {
  const { packageName, registry } = source;
  // The slash of a scoped name is escaped.
  const url = new URL(`${packageName.replace('/', '%2f')}/latest`, registry);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of httpGet(url, limits, options)) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== NOT_FOUND) throw error;
    const message = `${registry.origin} has no version of ${packageName}`;
    throw new NotPublishedError(message, { cause: error });
  }
  return readManifest(Buffer.concat(chunks).toString('utf8'), source);
}

/** Longest version and URL, in characters. */
const MAX_VERSION = 64;
const MAX_URL = 2048;
/** SHA-512 as hex digits. */
const DIGEST_DIGITS = 128;

/** A version that a registry offers. */
export interface OfferedVersion extends NewerVersion {
  /** Whether its makers advise against it. */
  readonly isDeprecated: boolean;
}

/** The package asked for, and the registry that answered. */
export interface ManifestSource {
  readonly packageName: string;
  readonly registry: URL;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the manifest of one version of a package. Throws UpdateError when it is not JSON, lacks a field, is about another
 * package, or names an archive without SHA-512 or on another server than the registry.
 * Source: docs/responses/package-metadata.md of the npm registry's documentation.
 */
export function readManifest(text: string, source: ManifestSource): OfferedVersion {
  const { dist, name, version, deprecated } = parseObject(text);
  if (name !== source.packageName) throw invalid('it is about another package');
  if (!isObject(dist)) throw invalid('it names no archive');
  return {
    version: readVersion(version),
    uri: readArchive(dist['tarball'], source.registry),
    hash: readDigest(dist['integrity']),
    isDeprecated: typeof deprecated === 'string' && deprecated !== '',
  };
}

function invalid(why: string): UpdateError {
  return new UpdateError(`the answer of the registry cannot be used: ${why}`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  if (!isObject(value)) throw invalid('it is no JSON object');
  return value;
}

/** The version becomes part of a file name: only digits, letters, dots, dashes and pluses are left. */
function readVersion(value: unknown): string {
  const version =
    typeof value === 'string' && value.length <= MAX_VERSION ? semver.valid(value) : null;
  if (version === null) throw invalid('it has no semantic version');
  return version;
}

/** An archive on another server is refused, so that a registry cannot send this node to any address it likes. */
function readArchive(value: unknown, registry: URL): string {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) {
    throw invalid('the archive has no URL');
  }
  const { href, origin, username, password } = new URL(value);
  if (origin !== registry.origin || username !== '' || password !== '') {
    throw invalid(`the archive is not at ${registry.origin}`);
  }
  return href;
}

function readDigest(value: unknown): string {
  const hashes = typeof value === 'string' ? ssri.parse(value, { strict: true }) : null;
  const [hash, ...others] = hashes?.['sha512'] ?? [];
  const digest = Buffer.from(hash?.digest ?? '', 'base64').toString('hex');
  if (digest.length !== DIGEST_DIGITS || others.length > 0) {
    throw invalid('the archive has no SHA-512 integrity');
  }
  return digest;
}

/**
 * Returns whether a node of version `own` should move to the one offered: it is higher, its makers do not advise against
 * it, and it is no pre-release, unless the node runs one.
 */
export function isNewer({ version, isDeprecated }: OfferedVersion, own: string): boolean {
  if (isDeprecated || !semver.gt(version, own)) return false;
  return semver.prerelease(version) === null || semver.prerelease(own) !== null;
}
