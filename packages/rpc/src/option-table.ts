import { NEEDED, OPTIONAL, optionalNames, type OptionTable } from '@monero-node/base/options';
import { SOCKS_OPTIONS } from '@monero-node/p2p/socks';
import type { Login } from '@monero-node/rpc-schema/login';
import { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts';
import { PAGE_MODES } from './page/web-page.ts';
import { TLS_OPTIONS } from './tls/options.ts';

// Apart from options.ts, which `--help` loads.

const LOGIN: OptionTable<Login> = { username: NEEDED, password: NEEDED };

/** The options of `RpcServer`. */
export const RPC_OPTIONS: OptionTable<RpcOptions> = {
  ...optionalNames(DEFAULT_RPC_OPTIONS),
  bindPort: NEEDED,
  restrictedBindPort: OPTIONAL,
  page: { optional: true, choices: PAGE_MODES },
  login: { optional: true, table: LOGIN },
  tls: { optional: true, table: TLS_OPTIONS },
  bootstrapDaemon: {
    optional: true,
    table: {
      address: NEEDED,
      login: { optional: true, table: LOGIN },
      proxy: { optional: true, table: SOCKS_OPTIONS },
    },
  },
  proxy: { optional: true, table: SOCKS_OPTIONS },
};
