/** Serves the contract as OpenAPI and as a page. Both are built once, by the first request. */
import type { Endpoint } from '@cambist/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { apiPage, apiPagePolicy } from './api-page.ts';
import { openApi } from './openapi.ts';
import { sessionCookieName } from '#platform/security/sessions.ts';

export const OPENAPI_PATHS = [
  { method: 'GET', path: '/api/openapi.json' },
  { method: 'GET', path: '/api/docs' },
];

export function serveOpenApi(
  app: FastifyInstance,
  config: Config,
  endpoints: readonly Endpoint[],
): void {
  const cookieName = sessionCookieName(config.session);
  let document: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('application/json; charset=utf-8')
      .send((document ??= JSON.stringify(openApi(endpoints, config.appUrl, cookieName)))),
  );
  app.get('/api/docs', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .header('content-security-policy', apiPagePolicy)
      .type('text/html; charset=utf-8')
      .send((page ??= apiPage(endpoints, config.throttleScale))),
  );
}
