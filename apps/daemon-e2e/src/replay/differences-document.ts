import type { AllowedDifference } from '../harness/allowed-difference.ts';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';

const KINDS: readonly [kind: AllowedDifference['kind'], title: string, about: string][] = [
  ['deliberate', 'Other answers', 'Requests that this node answers otherwise on purpose.'],
  ['newer', 'More fields', 'Sent by later releases or documented, and unknown to 0.18.0.0.'],
  ['volatile', 'Not compared', 'Depends on the process, the machine or the moment.'],
];

const cell = (text: string): string => text.replaceAll('|', '\\|');

function row({ call, field, request, listener, values, why }: AllowedDifference): string {
  const where = [
    call === '*' ? 'any' : `\`${call}\``,
    ...(listener === undefined ? [] : [`${listener} port`]),
    ...(request === undefined ? [] : [`requests like \`${request.source}\``]),
  ];
  const told = values === undefined ? '' : `; ${values.join(' here, ')} there`;
  return `| ${cell(where.join(', '))} | \`${field}\` | ${cell(why + told)} |`;
}

/** docs/rpc-differences.md, made from the table that the comparisons with monerod use. */
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
    'Made from `apps/daemon-e2e/src/harness/differences-table.ts` by `node tools/generate-rpc-docs.mjs`; change that, not this file.',
    'The end-to-end suites send the same requests to monerod and to this node and accept no other difference. ' +
      '`*` stands for every element of a list, `**` for all that follows; `http.` fields are the frame of an answer.',
    ...parts,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
