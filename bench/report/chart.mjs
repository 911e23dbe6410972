// A chart of ratios as SVG: one bar for each figure, with its interval, and a line where both sides are equal.
import * as echarts from 'echarts';

const WIDTH = 760;
const BAR = 26;
/** Pixels above and below the bars: room for the axis. */
const EDGES = 64;
const LABELS = 300;
/** Readable on a light page and on a dark one. */
const TEXT = '#808080';
const BETTER = '#3b8f5a';
const WORSE = '#b3563b';

/**
 * Draws the interval of a bar as a line with two ends.
 *
 * @type {echarts.CustomSeriesRenderItem}
 */
function whisker(_, api) {
  const [row, low, high] = [api.value(0), api.value(1), api.value(2)];
  const [from = NaN, y = NaN] = api.coord([low, row]);
  const [to = NaN] = api.coord([high, row]);
  /** @param {number} x */
  const end = (x) => ({ x1: x, y1: y - 4, x2: x, y2: y + 4 });
  const lines = [{ x1: from, y1: y, x2: to, y2: y }, end(from), end(to)];
  const style = { stroke: TEXT, lineWidth: 1.5 };
  return { type: 'group', children: lines.map((shape) => ({ type: 'line', shape, style })) };
}

/**
 * Returns an SVG document with a bar for each figure.
 *
 * @param {readonly { label: string, ratio: number, interval: [number, number] | null }[]} figures
 */
export function chartOf(figures) {
  const height = figures.length * BAR + EDGES;
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  const bars = figures.map(({ ratio }) => ({
    value: Number(ratio.toFixed(3)),
    itemStyle: { color: ratio >= 1 ? BETTER : WORSE },
  }));
  const intervals = figures.flatMap(({ interval }, row) => (interval ? [[row, ...interval]] : []));
  chart.setOption({
    animation: false,
    grid: { left: LABELS, right: 60, top: 16, bottom: 40 },
    textStyle: { color: TEXT },
    xAxis: { name: 'times the baseline', nameLocation: 'middle', nameGap: 26, min: 0 },
    yAxis: {
      type: 'category',
      inverse: true,
      axisTick: { show: false },
      data: figures.map(({ label }) => label),
      axisLabel: { color: TEXT },
    },
    series: [
      {
        type: 'bar',
        data: bars,
        barWidth: BAR / 2,
        label: { show: true, position: 'insideLeft', color: '#fff', fontSize: 11 },
        markLine: {
          silent: true,
          symbol: 'none',
          data: [{ xAxis: 1 }],
          label: { show: false },
          lineStyle: { color: TEXT, type: 'dashed' },
        },
      },
      { type: 'custom', data: intervals, renderItem: whisker, encode: { x: [1, 2], y: 0 } },
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
