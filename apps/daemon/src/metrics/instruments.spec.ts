import type { FinishedCall } from '@monero-node/rpc';
import { createInstruments, rpcObserver } from './instruments.ts';

const HTTP: Omit<FinishedCall, 'method' | 'status' | 'secondsToAnswer' | 'bytes'> = {
  interface: 'http',
  address: '127.0.0.1',
  request: '/json_rpc x',
  isSent: true,
  seconds: 9,
};

test('calls are counted by method and status, measured and weighed by method', async () => {
  const { registry, instruments } = createInstruments();
  const observe = rpcObserver(instruments.rpc);
  observe({ ...HTTP, method: 'get_info', status: '200', secondsToAnswer: 0.002, bytes: 100 });
  observe({ ...HTTP, method: 'get_info', status: 'error', secondsToAnswer: 3, bytes: 50 });
  observe({ ...HTTP, method: 'unknown', status: '404', secondsToAnswer: 0.5, bytes: 7 });
  const zmq = { ...HTTP, interface: 'zmq' } as const;
  observe({ ...zmq, method: 'get_info', status: 'ok', secondsToAnswer: 0.1, bytes: 20 });
  const text = await registry.metrics();
  for (const line of [
    'monero_rpc_requests_total{interface="http",method="get_info",status="200"} 1',
    'monero_rpc_requests_total{interface="http",method="get_info",status="error"} 1',
    'monero_rpc_requests_total{interface="http",method="unknown",status="404"} 1',
    'monero_rpc_requests_total{interface="zmq",method="get_info",status="ok"} 1',
    'monero_rpc_response_bytes_total{interface="zmq",method="get_info"} 20',
    'monero_rpc_request_duration_seconds_bucket{le="0.001",interface="http",method="get_info"} 0',
    'monero_rpc_request_duration_seconds_bucket{le="0.005",interface="http",method="get_info"} 1',
    'monero_rpc_request_duration_seconds_bucket{le="10",interface="http",method="get_info"} 2',
    'monero_rpc_request_duration_seconds_sum{interface="http",method="get_info"} 3.002',
    'monero_rpc_response_bytes_total{interface="http",method="get_info"} 150',
    'monero_rpc_response_bytes_total{interface="http",method="unknown"} 7',
  ])
    expect(text.split('\n')).toContain(line);
});
