import express, { type RequestHandler } from 'express';
import type { PageRouter } from '@monero-node/rpc';

/**
 * Routes requests for the web page with Express. It only chooses who answers: headers, login, limits and the bytes of answers are
 * those of the RPC port.
 */
export const routeWithExpress: PageRouter = (paths, serve, rest) => {
  const site = express();
  site.disable('x-powered-by');
  const handler =
    (listener: typeof serve): RequestHandler =>
    (request, response) =>
      listener(request, response);
  site.get([...paths], handler(serve));
  site.use(handler(rest));
  return site;
};
