import { TrafficMeter } from './page-state.ts';

test('rates are taken over the last five seconds', () => {
  const meter = new TrafficMeter();
  expect(meter.facts).toEqual({ bytesIn: 0, bytesOut: 0, rateIn: 0, rateOut: 0 });
  for (let second = 0; second <= 20; second++) {
    meter.add(second * 1000, { bytesIn: second * 100, bytesOut: second < 16 ? 0 : 500 });
  }
  expect(meter.facts).toEqual({ bytesIn: 2000, bytesOut: 500, rateIn: 100, rateOut: 100 });
});

test('a first reading has no rate', () => {
  const meter = new TrafficMeter();
  meter.add(0, { bytesIn: 1e9, bytesOut: 1 });
  expect(meter.facts).toMatchObject({ bytesIn: 1e9, rateIn: 0 });
});
