import { readFileSync } from 'node:fs';
import { NETWORKS, withOverrides } from '../network/networks.ts';
import { newestVersion, versionAtHeight } from '../network/hard-forks.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { forkRulesDocument } from './fork-rule-docs.ts';
import {
  expectedOutcome,
  FORK_RULE_CASES,
  NEXT_FORK_CASES,
  type ForkPlace,
  type Probe,
} from './fork-rule-cases/index.ts';

const VERSIONS = Array.from({ length: newestVersion(NETWORKS.mainnet) }, (_, i) => i + 1);

/** First and last block of every fork; the newest has no last. */
const PLACES: readonly ForkPlace[] = (['mainnet', 'testnet', 'stagenet'] as const).flatMap(
  (name) => {
    const network = NETWORKS[name];
    return network.hardForks.flatMap(({ height }, i) => {
      const next = network.hardForks[i + 1];
      const heights = next === undefined ? [height] : [height, next.height - 1];
      return heights.map((at) => {
        const version = versionAtHeight(network, at);
        return { network, height: at, version, rules: rulesFor(version) };
      });
    });
  },
);

/** A private chain with the forks that no public network has: 16 from block 1, 17 from 40, 18 from 60. */
const privateNetwork = withOverrides(NETWORKS.regtest, {
  hardForks: [
    { version: 1, height: 0, time: 0 },
    { version: 16, height: 1, time: 0 },
    { version: 17, height: 40, time: 0 },
    { version: 18, height: 60, time: 0 },
  ],
});

describe.each(NEXT_FORK_CASES)('next fork, $topic: $rule', ({ probes }) => {
  test.each(probes)('$name', ({ outcomes, run }: Probe) => {
    const places = [
      [39, 16],
      [40, 17],
      [59, 17],
      [60, 18],
    ] as const;
    const found = places.map(([height]) => {
      const version = versionAtHeight(privateNetwork, height);
      return [height, run({ network: privateNetwork, height, version, rules: rulesFor(version) })];
    });
    expect(found).toEqual(
      places.map(([height, version]) => [height, expectedOutcome(outcomes, version)]),
    );
  });
});

describe.each(FORK_RULE_CASES)('$topic: $rule', ({ probes }) => {
  test.each(probes)('$name', (probe: Probe) => {
    const found = PLACES.map((place) => ({
      where: `${place.network.name} ${place.height}, fork ${place.version}`,
      outcome: probe.run(place),
    }));
    // The fork follows from the position of the block in the list, not from the table under test.
    const perNetwork = PLACES.length / 3;
    expect(found).toEqual(
      PLACES.map((place, i) => ({
        where: `${place.network.name} ${place.height}, fork ${VERSIONS[(i % perNetwork) >> 1]}`,
        outcome: expectedOutcome(probe.outcomes, VERSIONS[(i % perNetwork) >> 1] as number),
      })),
    );
  });
});

test('has a probe that passes or differs for every rule, under every fork that changes it', () => {
  for (const { rule, probes } of FORK_RULE_CASES) {
    const outcomes = new Set(probes.flatMap((probe) => Object.values(probe.outcomes)));
    expect([rule, outcomes.size]).not.toEqual([rule, 1]);
  }
});

test('changes the result of some probe at every fork', () => {
  const changing = (version: number) =>
    FORK_RULE_CASES.filter(({ probes }) =>
      probes.some(
        ({ outcomes }) =>
          expectedOutcome(outcomes, version) !== expectedOutcome(outcomes, version - 1),
      ),
    );
  for (const version of VERSIONS.slice(1)) {
    expect([version, changing(version).length]).not.toEqual([version, 0]);
  }
});

test('docs/reference/fork-rules.md is up to date (otherwise run node tools/generate-fork-docs.mjs)', () => {
  const file = new URL('../../../../docs/reference/fork-rules.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(forkRulesDocument());
});
