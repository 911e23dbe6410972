/**
 * Returns the figures whose ratio to the baseline is lower than before by more than the given percentage. Figures that only
 * one side has, such as those of a processor without the instructions, are not compared.
 *
 * @param {readonly { id: string, ratio: number }[]} before
 * @param {readonly { id: string, ratio: number }[]} now
 * @param {number} most percent
 */
export function lossesOf(before, now, most) {
  const earlier = new Map(before.map(({ id, ratio }) => [id, ratio]));
  return now.flatMap(({ id, ratio }) => {
    const was = earlier.get(id);
    if (was === undefined) return [];
    const percent = 100 * (1 - ratio / was);
    return percent > most ? [{ id, percent, was, is: ratio }] : [];
  });
}

/**
 * Returns whether ratios measured on two machines may be compared: the same instructions, the same major version
 * of Node, and the same monerod.
 *
 * @param {{ features: readonly string[], node: string, monerod: string }} a
 * @param {{ features: readonly string[], node: string, monerod: string }} b
 */
export function isComparable(a, b) {
  /** @param {typeof a} machine */
  const kind = ({ features, node, monerod }) =>
    [[...features].sort().join(), node.split('.')[0], monerod].join(' ');
  return kind(a) === kind(b);
}
