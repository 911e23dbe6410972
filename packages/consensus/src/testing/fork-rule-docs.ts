import { MAINNET } from '../network/mainnet.ts';
import { STAGENET } from '../network/stagenet.ts';
import { TESTNET } from '../network/testnet.ts';
import {
  expectedOutcome,
  FORK_RULE_CASES,
  type ForkRuleCase,
  type Probe,
} from './fork-rule-cases.ts';

const VERSIONS = Array.from({ length: 16 }, (_, i) => i + 1);

const INTRODUCTION = `# Rules by fork

Made from \`packages/consensus/src/testing/fork-rule-cases\` by \`node tools/generate-fork-docs.mjs\`; change those,
not this file.

Each table is one rule, each line one test of \`packages/consensus/src/fork-rules.spec.ts\`, which runs it at the
first and the last block of every fork of mainnet, testnet and stagenet. ✓ is accepted, · as under the fork before;
else the error or the value that the rule comes to.
`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');

/** A Markdown table with its columns padded, as the formatter wants it. */
function table(
  head: readonly (string | number)[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [head, ...rows].map((line) => line.map(String));
  const widths = head.map((_, i) => Math.max(3, ...lines.map((line) => line[i]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [row(first), row(widths.map((width) => '-'.repeat(width))), ...others.map(row)].join('\n');
}

function heights(): string {
  const networks = [MAINNET, TESTNET, STAGENET];
  const rows = VERSIONS.map((version) => [
    version,
    ...networks.map(
      ({ hardForks }) => hardForks.find((fork) => fork.version === version)?.height ?? '',
    ),
  ]);
  return table(['fork', ...networks.map(({ name }) => name)], rows);
}

function outcomes(probe: Probe): string[] {
  return VERSIONS.map((version) => {
    const outcome = expectedOutcome(probe.outcomes, version);
    if (version > 1 && outcome === expectedOutcome(probe.outcomes, version - 1)) return '·';
    return outcome === 'passes' ? '✓' : escaped(outcome);
  });
}

function section({ rule, source, probes }: ForkRuleCase): string {
  const rows = probes.map((probe) => [escaped(probe.name), ...outcomes(probe)]);
  return `### ${rule}\n\nUpstream: \`${source}\`\n\n${table(['test', ...VERSIONS], rows)}\n`;
}

/** docs/fork-rules.md: every rule under every fork, and the test that holds us to it. */
export function forkRulesDocument(): string {
  const topics = [...new Set(FORK_RULE_CASES.map(({ topic }) => topic))];
  const parts = topics.map((topic) => {
    const sections = FORK_RULE_CASES.filter((each) => each.topic === topic).map(section);
    return `## ${topic}\n\n${sections.join('\n')}`;
  });
  return [INTRODUCTION, `## Heights\n\n${heights()}\n`, ...parts].join('\n');
}
