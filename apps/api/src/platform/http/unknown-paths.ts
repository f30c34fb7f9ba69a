/** Answers unknown routes: 405 with `Allow` where another method is known, else 404. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, notFound } from '#kernel/refusal.ts';

export interface KnownPath {
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
}

export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function openUnknownPaths(known: readonly KnownPath[]): AnswerUnknown {
  const patterns = known.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    );
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0) throw notFound();
    reply.header('allow', [...methods].toSorted().join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new Refusal(
      405,
      'method_not_allowed',
      `The ${request.method} method is not supported for this address.`,
    );
  };
}
