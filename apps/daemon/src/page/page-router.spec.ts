import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routeWithExpress } from './page-router.ts';

const saying =
  (text: string): RequestListener =>
  (_request, response) => {
    response.end(text);
  };
const server = createServer(
  routeWithExpress(['/', '/app.js', '/live'], saying('page'), saying('method')),
);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test.each([
  ['GET', '/', 'page'],
  ['GET', '/app.js', 'page'],
  ['GET', '/live?view=owner', 'page'],
  ['POST', '/', 'method'],
  ['PUT', '/app.js', 'method'],
  ['GET', '/app', 'method'],
  ['POST', '/json_rpc', 'method'],
])('%s %s is for the %s', async (method, path, who) => {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  expect(await answer.text()).toBe(who);
  expect(answer.headers.has('x-powered-by')).toBe(false);
});
