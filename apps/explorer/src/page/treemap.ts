/** A rectangle in units of the drawing. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns where to cut a list so that both parts have about the same size; at least one item is on either side. */
function cutOf<T>(items: readonly T[], sizeOf: (item: T) => number): { at: number; share: number } {
  const total = items.reduce((sum, item) => sum + sizeOf(item), 0);
  let at = 0;
  let part = 0;
  while (at < items.length - 1) {
    const size = sizeOf(items[at] as T);
    if (at > 0 && part + size / 2 > total / 2) break;
    part += size;
    at++;
  }
  return { at, share: total > 0 ? part / total : at / items.length };
}

/**
 * Divides a box among items in proportion to their sizes, which must be above 0, and keeps their order from the upper left
 * on: the box is cut across its longer side again and again.
 */
export function treemap<T>(
  items: readonly T[],
  box: Box,
  sizeOf: (item: T) => number,
): { readonly item: T; readonly box: Box }[] {
  const [first] = items;
  if (first === undefined) return [];
  if (items.length === 1) return [{ item: first, box }];
  const { at, share } = cutOf(items, sizeOf);
  const { x, y, width, height } = box;
  const [a, b]: [Box, Box] =
    width >= height
      ? [
          { x, y, height, width: width * share },
          { x: x + width * share, y, height, width: width * (1 - share) },
        ]
      : [
          { x, y, width, height: height * share },
          { x, y: y + height * share, width, height: height * (1 - share) },
        ];
  return [...treemap(items.slice(0, at), a, sizeOf), ...treemap(items.slice(at), b, sizeOf)];
}
