/** A metric before it is made: its name, its help sentence and the names of its labels. */
export interface MetricSpec<
  Kind extends 'gauge' | 'counter' | 'histogram' = 'gauge' | 'counter' | 'histogram',
  Label extends string = string,
> {
  readonly kind: Kind;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** A figure that goes up and down. */
export function gauge<Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricSpec<'gauge', Label> {
  return { kind: 'gauge', name, help, labels };
}

/** A total since the start of the process. */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricSpec<'counter', Label> {
  return { kind: 'counter', name, help, labels };
}

/** Numbers of observations, by size, since the start of the process. */
export function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): MetricSpec<'histogram', Label> {
  return { kind: 'histogram', name, help, labels, buckets };
}
