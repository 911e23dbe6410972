import { expect, test } from '@jest/globals';
import { exactXmr, shortXmr } from './format.ts';
import { html } from './html.ts';
import { treemap } from './treemap.ts';

test('values are escaped, markup is not, and nothing is shown for what is absent', () => {
  const foreign = `<img src="x" onerror='y'>&`;
  const inner = html`<b>${foreign}</b>`;
  expect(html`${inner}${undefined}${false}${null}${0}${[inner, 'a<']}`.text).toBe(
    '<b>&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;</b>0' +
      '<b>&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;</b>a&lt;',
  );
});

test('amounts are exact', () => {
  expect(exactXmr('18446744073709551615')).toBe('18,446,744.073709551615');
  expect(exactXmr('1')).toBe('0.000000000001');
  expect(exactXmr('600000000000')).toBe('0.60');
  expect(exactXmr('0')).toBe('0.00');
  expect(shortXmr('123456789012')).toBe('0.1235');
});

test('a map fills its box in proportion to the sizes', () => {
  const sizes = [50, 25, 15, 9, 1];
  const areas = treemap(sizes, { x: 0, y: 0, width: 100, height: 50 }, (size) => size);
  expect(areas.map(({ item }) => item)).toEqual(sizes);
  for (const { item, box } of areas) expect(box.width * box.height).toBeCloseTo(item * 50);
  expect(treemap([], { x: 0, y: 0, width: 1, height: 1 }, () => 1)).toEqual([]);
});
