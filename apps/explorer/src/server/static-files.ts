import { readFileSync } from 'node:fs';
import { Router } from 'express';

const FOLDER = new URL('../../public/', import.meta.url);
const FILES = {
  'icon.svg': 'image/svg+xml',
  'live.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/** Returns what serves the files of the page: these, and no others. */
export function staticFiles(): Router {
  const router = Router();
  for (const [name, type] of Object.entries(FILES)) {
    const content = readFileSync(new URL(name, FOLDER));
    router.get(`/${name}`, (_, response) => void response.type(type).send(content));
  }
  return router;
}
