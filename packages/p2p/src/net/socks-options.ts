import { NEEDED, type OptionTable } from '@monero-node/base/options';
import { SOCKS_VERSIONS, type SocksEndpoint } from './socks-endpoint.ts';

/** What a program gives of a SOCKS proxy. */
export const SOCKS_OPTIONS: OptionTable<SocksEndpoint> = {
  host: NEEDED,
  port: NEEDED,
  version: { choices: SOCKS_VERSIONS },
  login: { optional: true, table: { user: NEEDED, password: NEEDED } },
};
