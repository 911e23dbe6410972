import { createInstruments } from './instruments.ts';
import { rpcObserver } from './rpc-observer.ts';

test('calls are counted by method and status, measured and weighed by method', async () => {
  const { registry, instruments } = createInstruments();
  const observe = rpcObserver(instruments.rpc);
  observe({ method: 'get_info', status: '200', seconds: 0.002, bytes: 100 });
  observe({ method: 'get_info', status: 'error', seconds: 3, bytes: 50 });
  observe({ method: 'unknown', status: '404', seconds: 0.5, bytes: 7 });
  const text = await registry.metrics();
  for (const line of [
    'monero_rpc_requests_total{method="get_info",status="200"} 1',
    'monero_rpc_requests_total{method="get_info",status="error"} 1',
    'monero_rpc_requests_total{method="unknown",status="404"} 1',
    'monero_rpc_request_duration_seconds_bucket{le="0.001",method="get_info"} 0',
    'monero_rpc_request_duration_seconds_bucket{le="0.005",method="get_info"} 1',
    'monero_rpc_request_duration_seconds_bucket{le="10",method="get_info"} 2',
    'monero_rpc_request_duration_seconds_sum{method="get_info"} 3.002',
    'monero_rpc_response_bytes_total{method="get_info"} 150',
    'monero_rpc_response_bytes_total{method="unknown"} 7',
  ])
    expect(text.split('\n')).toContain(line);
});
