import { httpGet, type GetLimits, type GetOptions } from './http-get.ts';
import { NotPublishedError, StatusError } from './update-error.ts';
import { readManifest, type ManifestSource, type OfferedVersion } from './read-manifest.ts';

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
