import type { AllowedDifference } from '../harness/allowed-difference.ts';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';

const KINDS: readonly [kind: AllowedDifference['kind'], title: string, about: string][] = [
  ['deliberate', 'Different answers', 'This node deliberately answers these requests differently.'],
  [
    'newer',
    'Additional fields',
    'Later releases send these fields, or they are documented; 0.18.0.0 does not send them.',
  ],
  [
    'volatile',
    'Fields not compared',
    'These fields depend on the process, the machine or the moment.',
  ],
];

const BROWSERS = [
  'monerod has none of these rules. Wallets, miners and scripts that connect directly do not notice them; behind a proxy that passes a public name on to an unrestricted port, they need `--rpc-allowed-hosts`.',
  [
    '- A web page whose origin `--rpc-access-control-origins` does not name cannot call methods that a restricted port hides, such as `stop_daemon`: the answer is 403. A page is recognised by `Origin` or `Sec-Fetch-Site`, which wallets, miners and scripts do not send.',
    '- An unrestricted port on loopback answers 403 when `Host` is a name with a dot, because a page can point its own name at 127.0.0.1 (DNS rebinding). IP addresses, `localhost`, `.onion` and `.i2p` names and those of `--rpc-allowed-hosts` are allowed.',
    '- When all connections of a port are taken, a new one replaces the oldest that has not sent a request, or else the oldest that waits for its client. monerod turns the new one away.',
    '- Headers of a request must arrive within 10 seconds.',
    '- Clients of restricted ports get at most 80% of the time of the thread that serves calls, shared between hosts; calls of the owner go first.',
  ].join('\n'),
];

const cell = (text: string): string => text.replaceAll('|', '\\|');

function row({ call, field, request, listener, values, why }: AllowedDifference): string {
  const where = [
    call === '*' ? 'any' : `\`${call}\``,
    ...(listener === undefined ? [] : [`${listener} port`]),
    ...(request === undefined ? [] : [`requests like \`${request.source}\``]),
  ];
  const valuesText = values === undefined ? '' : `; ${values.join(' here, ')} there`;
  return `| ${cell(where.join(', '))} | \`${field}\` | ${cell(why + valuesText)} |`;
}

/** Returns the text of docs/rpc-differences.md, made from the table that the comparisons with monerod use. */
export function differencesDocument(): string {
  const parts = KINDS.flatMap(([kind, title, about]) => [
    `## ${title}`,
    about,
    [
      '| Call | Field | Why |',
      '| --- | --- | --- |',
      ...ALLOWED_DIFFERENCES.filter((rule) => rule.kind === kind).map(row),
    ].join('\n'),
  ]);
  return [
    '# Where answers differ from monerod 0.18.0.0',
    'Generated from `apps/daemon-e2e/src/harness/differences-table.ts` by `node tools/generate-rpc-docs.mjs`; edit the table, not this file.',
    'The end-to-end suites send the same requests to monerod and to this node, and allow only the differences listed here. ' +
      '`*` matches each element of a list and `**` everything below. Fields that begin with `http.` are status, headers and length of the HTTP answer.',
    ...parts,
    '## Browsers and overload',
    ...BROWSERS,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
