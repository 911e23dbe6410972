export type { JsonSchema } from './json-schema.ts';
export { rpcReference } from './markdown.ts';
export { openApiDocument } from './openapi.ts';
