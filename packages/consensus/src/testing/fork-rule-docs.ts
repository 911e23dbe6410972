import { newestVersion } from '../network/hard-forks.ts';
import { MAINNET } from '../network/mainnet.ts';
import { STAGENET } from '../network/stagenet.ts';
import { TESTNET } from '../network/testnet.ts';
import {
  expectedOutcome,
  FORK_RULE_CASES,
  NEXT_FORK_CASES,
  type ForkRuleCase,
  type Probe,
} from './fork-rule-cases/index.ts';

const VERSIONS = Array.from({ length: newestVersion(MAINNET) }, (_, i) => i + 1);
/** Those that no network has heights for, and the one below them. */
const NEXT_VERSIONS = [newestVersion(MAINNET), 17, 18];

const INTRODUCTION = `# Rules by fork

This file is generated from \`packages/consensus/src/testing/fork-rule-cases\` by
\`node tools/generate-fork-docs.mjs\`. Edit those files, not this one.

Each table is one rule, and each row is one test of
\`packages/consensus/src/testing/fork-rule-cases.spec.ts\`, which runs it at the first and the last
block of every fork of mainnet, testnet and stagenet. ✓ means accepted, · means the same as under the
fork before; any other entry is the error code, or the value of the rule. Sources refer to monero
v0.18.5.1.
`;

const NEXT_INTRODUCTION = `What versions 17 and 18 change. No public network has heights for them: see [The next fork](../next-fork.md).
Sources refer to the branch fcmp++-stage-cold-hot of monero, 2ff9690d.
`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');

/** Returns a Markdown table with padded columns, as the formatter would write it. */
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

function outcomes(probe: Probe, versions: readonly number[]): string[] {
  return versions.map((version, i) => {
    const outcome = expectedOutcome(probe.outcomes, version);
    if (i > 0 && outcome === expectedOutcome(probe.outcomes, version - 1)) return '·';
    return outcome === 'passes' ? '✓' : escaped(outcome);
  });
}

/** Returns a source such as `check_fee in src/file.cpp` with the function and the file marked as code. */
function sourceText(source: string): string {
  return source.replace(/^(.+) in (.+)$/, '`$1` in `$2`');
}

function section(
  { rule, source, probes }: ForkRuleCase,
  versions: readonly number[] = VERSIONS,
): string {
  const rows = probes.map((probe) => [escaped(probe.name), ...outcomes(probe, versions)]);
  return `### ${rule}\n\nSource: ${sourceText(source)}.\n\n${table(['test', ...versions], rows)}\n`;
}

/** Returns the text of docs/reference/fork-rules.md: every rule under every fork, with the tests that enforce it. */
export function forkRulesDocument(): string {
  const topics = [...new Set(FORK_RULE_CASES.map(({ topic }) => topic))];
  const parts = topics.map((topic) => {
    const sections = FORK_RULE_CASES.filter((each) => each.topic === topic).map((each) =>
      section(each),
    );
    return `## ${topic}\n\n${sections.join('\n')}`;
  });
  const next = NEXT_FORK_CASES.map((each) => section(each, NEXT_VERSIONS)).join('\n');
  return [
    INTRODUCTION,
    `## Heights\n\n${heights()}\n`,
    ...parts,
    `## The next fork\n\n${NEXT_INTRODUCTION}\n${next}`,
  ].join('\n');
}
