import type { Json, JsonObject } from '../../harness/json.ts';
import { json, MAIN, rpc, type ReplayRequest } from '../request.ts';

/** Calls that change settings. Both daemons receive them in this order. */
export const SETTINGS_REQUESTS: readonly ReplayRequest[] = [
  ...[
    [{ host: '1.2.3.4', ban: true, seconds: 30 }],
    [{ ip: 84_281_096, ban: true, seconds: 40 }],
    [{ host: '10.20.0.0/16', ban: true, seconds: 50 }],
    [{ host: 'nonsense', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4.5', ban: true, seconds: 50 }],
    [{ host: '300.1.1.1', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4/40', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4', ban: false }],
    [{ host: '9.9.9.9', ban: false }],
    [{ host: '5.5.5.5', ban: true }],
    [{ host: '5.5.5.6', ban: true, seconds: -1 }],
    [{ host: 'nonsense', ban: false }],
    [{ host: '1.2.3.4/40', ban: false }],
    [{ host: '10.20.0.0/16', ban: false }],
    [{ host: '6.6.6.6:80', ban: true, seconds: 60 }],
    [{ host: '6.6.6.6:81', ban: false }],
    [
      { host: '::5', ban: true, seconds: 60 },
      { host: '::5', ban: false },
    ],
  ].flatMap((bans) => [
    rpc('set_bans', { bans: bans as unknown as Json }, MAIN),
    rpc('get_bans', {}, MAIN),
  ]),
  ...[
    '1.2.3.4',
    '10.20.30.40',
    '10.21.0.1',
    '8.8.8.8',
    'nonsense',
    '',
    '::1',
    '[::1]:80',
    '1.2.3.4:80',
  ].map((address) => rpc('banned', { address }, MAIN)),
  ...[
    [500, 700],
    [0, 0],
    [0, 800],
    [-1, 0],
    [-1, -1],
    [-2, 100],
    [100, -2],
    [1, 1],
    [2 ** 40, 2 ** 40],
    [-1, -1],
  ].flatMap(([limit_down = 0, limit_up = 0]) => [
    json('/set_limit', { limit_down, limit_up }, MAIN),
    json('/get_limit'),
  ]),
  json('/set_limit', { limit_down: 900 }, MAIN),
  json('/set_limit', { limit_up: -1 }, MAIN),
  ...(
    [
      { out_peers: 5 },
      { set: false },
      { out_peers: 0 },
      {},
      { out_peers: 4_294_967_295 },
    ] as JsonObject[]
  ).map((body) => json('/out_peers', body, MAIN)),
  ...(
    [
      { in_peers: 5 },
      { set: false },
      { in_peers: 0 },
      {},
      { in_peers: 4_294_967_295 },
    ] as JsonObject[]
  ).map((body) => json('/in_peers', body, MAIN)),
  ...[0, 1, 0, 5, -1, 200, '1', null].map((level) => json('/set_log_level', { level }, MAIN)),
  ...['*:WARNING', '0', '1', '+net:INFO', '-net', 'net:DEBUG,txpool:ERROR', 'nonsense', '0'].map(
    (categories) => json('/set_log_categories', { categories }, MAIN),
  ),
  json('/set_log_hash_rate', { visible: true }, MAIN),
  ...['check', 'download', 'update', 'x', ''].map((command) => json('/update', { command }, MAIN)),
  json('/set_bootstrap_daemon', { address: '' }, MAIN),
  json('/set_bootstrap_daemon', { address: 'not an address' }, MAIN),
  json('/set_bootstrap_daemon', { address: '' }, MAIN),
  rpc('prune_blockchain', { check: true }, MAIN),
  rpc('prune_blockchain', { check: 'x' }, MAIN),
  rpc('flush_cache', { bad_blocks: true, bad_txs: true }, MAIN),
  rpc('rpc_access_submit_nonce', { nonce: 5, cookie: 1, client: 'ab' }),
  rpc('rpc_access_pay', { paying_for: 'x', payment: 5, client: 'ab' }),
  rpc('rpc_access_account', { client: 'ab', delta_balance: 5 }, MAIN),
];
