import { httpGet, type GetLimits, type GetOptions } from './http-get.ts';
import { readManifest, type ManifestSource, type OfferedVersion } from './read-manifest.ts';

/** A manifest has a few kilobytes. More would hold the event loop while it is parsed. */
const MANIFEST_LIMITS: GetLimits = {
  maxBytes: 256 * 1024,
  totalMs: 20_000,
  idleMs: 20_000,
};

/**
 * Returns the version that a registry names as the latest. Throws UpdateError, or the reason of the
 * signal when that aborts.
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
  for await (const chunk of httpGet(url, limits, options)) chunks.push(chunk);
  return readManifest(Buffer.concat(chunks).toString('utf8'), source);
}
