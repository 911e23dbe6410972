import { parseSocksEndpoint, type SocksEndpoint } from '@monero-node/p2p/settings';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/** Reads the SOCKS proxy of an option; undefined without the option. Throws UsageError when it does not parse. */
export function readProxy(values: OptionReader, name: string): SocksEndpoint | undefined {
  const text = values.text(name);
  if (text === undefined) return undefined;
  const proxy = parseSocksEndpoint(text);
  if (proxy === undefined) {
    throw new UsageError(
      `Failed to parse ${name}: ${text} is not [socks5://[USER:PASSWORD@]]IP:PORT`,
    );
  }
  return proxy;
}
