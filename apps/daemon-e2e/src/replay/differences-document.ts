import type { AllowedDifference } from '../harness/allowed-difference.ts';
import type { Release } from '../harness/binaries.ts';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';

const KINDS: readonly [kind: AllowedDifference['kind'], title: string, about: string][] = [
  ['deliberate', 'Different answers', 'This node deliberately answers these requests differently.'],
  [
    'newer',
    'Additional fields',
    'This node sends these fields, because the current release does or because they are documented.',
  ],
  [
    'volatile',
    'Fields not compared',
    'These fields depend on the process, the machine or the moment.',
  ],
];

const VERSIONS = [
  '`get_info` reports the version of this program. With `--rpc-version-string monerod` it reports that of the monerod release whose RPC this node serves, `0.18.5.3-release`; `version` on the console shows the same. Restricted ports report none, as in monerod. `get_version` does not depend on it: its number is that of the RPC.',
  [
    '| Program | Reads | Needs the option |',
    '| --- | --- | --- |',
    '| `monerod version`, sent to this node, and scripts around it such as PiNodeXMR | `get_info`: four numbers, with `-release` or nine hex digits | yes: otherwise it prints that the version is not available |',
    '| monero-wallet-cli, monero-wallet-rpc, wallet GUIs on wallet2 | `get_version`: major part of the number, hard forks | no |',
    '| P2Pool | `get_version`: 3.10 or higher | no |',
    '| xmrig | `get_info` without the version | no |',
    '| nodejs-pool, monero-pool, onion-monero-blockchain-explorer, Gupax, Feather, monero-python | no version of the daemon | no |',
  ].join('\n'),
];

const UPDATES =
  '`/update` asks an npm registry about the package of this program (`--update-registry`), through the proxy of the node; monerod asks the DNS about its own. ' +
  '`hash` is SHA-512 instead of SHA-256, and `user_uri` and `auto_uri` are both the archive. A `path` must be absolute and is never overwritten. ' +
  'When something fails, `status` names the reason after `Error checking for updates:` or `Failed to download:`; monerod leaves it empty after a failed download.';

const BROWSERS = [
  'monerod has none of these rules. Wallets, miners and scripts that connect directly do not notice them; behind a proxy that passes a public name on to an unrestricted port, they need `--rpc-allowed-hosts`.',
  [
    '- A web page whose origin `--rpc-access-control-origins` does not name cannot call methods that a restricted port hides, such as `stop_daemon`: the answer is 403. A page is recognized by `Origin` or `Sec-Fetch-Site`, which wallets, miners and scripts do not send.',
    '- `GET /` on an unrestricted port is the page of the node, and `/page/` holds its files; `--rpc-page` decides. Other verbs are answered 404, as by monerod. Calls of that page count as calls of the owner.',
    '- An unrestricted port on loopback answers 403 when `Host` is a name with a dot, because a page can point its own name at 127.0.0.1 (DNS rebinding). IP addresses, `localhost`, `.onion` and `.i2p` names and those of `--rpc-allowed-hosts` are allowed.',
    '- The `Host` header is looked at before anything is answered, health probes and OPTIONS included. On other unrestricted ports `/health/ready` leaves out peers and free disk space when `Host` is a name that loopback ports answer with 403.',
    '- With a login, a nonce is also accepted on another connection than the one it was made for: within 60 seconds, with a higher `nc` each time (once without `qop`), and unless it has been used on its own connection. Clients that open a connection for each request, such as `curl -0 --digest`, get in; monerod answers them 401 for ever. On its own connection a nonce has the rules of monerod. One that is too old or used up is answered with `stale=true`.',
    '- With `--rpc-trusted-proxy`, the client that a named proxy states counts for limits, bans and the log; a client with too many connections gets 429 and a banned one 403.',
    '- When all connections of a port are taken, a new one replaces the oldest that has not sent a request, or else the oldest that waits for its client. monerod turns the new one away.',
    '- Headers of a request must arrive within 10 seconds.',
    '- Clients of restricted ports get at most 80% of the time of the thread that serves calls, shared between hosts; calls of the owner go first.',
  ].join('\n'),
];

/** Differences outside the replay. */
const SUBMISSIONS =
  'A submitted block whose miner transaction has no input is malformed here (-6). 0.18.5.3 answers with an error without code and message; 0.18.0.0 stops answering.';

const DOCUMENTED_FIELDS =
  '`not_rct` in the answers to `/send_raw_transaction`, and `max_used_block_hash` beside `max_used_block_id_hash` in the pool, are in the documented interface, so they are sent. ' +
  'monerod sends neither. Clients that know the fields of monerod alone ignore them: monero-ts prints a line `ignoring unexpected field` for each.';

const AUX_POW =
  'The `aux_pow` list in the answer to `add_aux_pow` is in the order of the slots of the merkle tree, as on the development branch of monerod. ' +
  '0.18.5.3 keeps the order of the request. Root, nonce and template are the same; find a chain by its `id`, not by its place.';

const BANS = [
  'One parser reads what `set_bans`, `banned`, the console, `--ban-list` and the ban lists of the DNS name. It takes everything that 0.18.5.3 takes, hosts with a port and short forms of IPv4 such as `10.1` among them, except the typing error `2001:db8::8]`.',
  [
    '- It also takes subnets of IPv6, ids of libp2p peers, other names than `.b32.i2p` that end in `.i2p`, names in upper case and, from `set_bans`, `all` to lift every ban. 0.18.5.3 refuses them.',
    '- An IPv4-mapped IPv6 address is the IPv4 address, and the zone of an IPv6 address does not count; `get_bans` shows the host so. monerod keeps both as they are written, and then a ban of `::ffff:1.2.3.4` does not hold for 1.2.3.4.',
  ].join('\n'),
];

/** Bounds that no comparison reaches: no honest client comes near them. */
const BOUNDS: readonly string[] = [
  'The id of a JSON-RPC call may take 64 KiB as it is echoed, with the indentation of nested objects; a longer one is a parse error. monerod echoes any id, which makes an answer up to fifty times as long as the request.',
  'An error message is cut after 4096 characters. monerod quotes whatever the client sent.',
  'An answer of more than 1 MiB is made while it is sent, in HTTP chunks (`Transfer-Encoding: chunked`; to clients of HTTP/1.0 until the connection ends). monerod makes every answer in memory and sends its length. If an answer breaks off, for example because a reorganization replaced its blocks, the connection ends without the last chunk.',
  '`/get_transactions` fails when the answer could exceed 1 GiB, `get_output_distribution` for more than 100 million entries over all amounts, `/get_blocks_by_height.bin` after blocks of 512 MiB.',
  'The ZeroMQ sockets speak ZMTP 3 (libzmq 4 and later) and are not made by libzmq, which bounds one frame but not a message of many. A message has at most 10 MiB and 64 frames, a request 524,288 JSON values, an answer 64 MiB and an id 4096 characters; `get_blocks_fast` ends after 20 MiB of blocks, monerod after 100 MiB. A connection that does not finish a message, or takes none of an answer, for 30 seconds is closed. While a call is answered, a PING of its connection waits for its PONG. A subscriber misses messages when 16 MiB wait for it, or 1,000 blocks and other events. The blocks of a reorganization are announced once, monerod announces them twice.',
];

/** The releases that the suites run against, and how the columns are named. */
const RELEASES: readonly (readonly [release: Release, name: string])[] = [
  ['old', '0.18.0.0'],
  ['current', '0.18.5.3'],
];

const cell = (text: string): string => text.replaceAll('|', '\\|');

function row(rule: AllowedDifference): string {
  const { call, field, request, listener, values, why, release } = rule;

  const where = [
    call === '*' ? 'any' : `\`${call}\``,
    ...(listener === undefined ? [] : [`${listener} port`]),
    ...(request === undefined ? [] : [`requests like \`${request.source}\``]),
  ];
  const valuesText = values === undefined ? '' : `; ${values.join(' here, ')} there`;
  const marks = RELEASES.map(([each]) => ((release ?? each) === each ? 'differs' : '–'));
  return `| ${[cell(where.join(', ')), `\`${field}\``, ...marks, cell(why + valuesText)].join(' | ')} |`;
}

/** Returns the text of docs/reference/rpc-differences.md, made from the table that the comparisons with monerod use. */
export function differencesDocument(): string {
  const parts = KINDS.flatMap(([kind, title, about]) => [
    `## ${title}`,
    about,
    [
      `| ${['Call', 'Field', ...RELEASES.map(([, name]) => name), 'Why'].join(' | ')} |`,
      `| ${['---', '---', ...RELEASES.map(() => '---'), '---'].join(' | ')} |`,
      ...ALLOWED_DIFFERENCES.filter((rule) => rule.kind === kind).map(row),
    ].join('\n'),
  ]);
  return [
    '# Where answers differ from monerod',
    'Generated from `apps/daemon-e2e/src/harness/differences-table.ts` by `node tools/generate-rpc-docs.mjs`; edit the table, not this file.',
    'The end-to-end suites send the same requests to monerod and to this node, and allow only the differences listed here. ' +
      'All requests are replayed against 0.18.0.0, which Debian 12 has, and against 0.18.5.3, the current release; the columns say from which of them an answer differs. Where the two differ, this node answers as 0.18.5.3. ' +
      '`*` matches each element of a list and `**` everything below. Fields that begin with `http.` are status, headers and length of the HTTP answer.',
    ...parts,
    '## Submitted blocks',
    SUBMISSIONS,
    '## Documented fields',
    DOCUMENTED_FIELDS,
    '## Merge mining',
    AUX_POW,
    '## Bans',
    ...BANS,
    '## Version',
    ...VERSIONS,
    '## Updates',
    UPDATES,
    '## Browsers and overload',
    ...BROWSERS,
    '## Bounds',
    'These bounds keep a client from filling the memory of the node.',
    BOUNDS.map((bound) => `- ${bound}`).join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
