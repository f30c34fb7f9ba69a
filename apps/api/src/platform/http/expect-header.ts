/**
 * A request whose `Expect` header asks for more than `100-continue` is answered
 * 417 by Node itself, bare: without the CORS headers a script could not read it.
 * It is handed on instead as a request like others, and refused there.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#kernel/refusal.ts';

export interface Expectations {
  /** @throws Refusal 417 */
  check(request: IncomingMessage): void;
}

export function openExpectations({ server }: FastifyInstance): Expectations {
  const unmet = new WeakSet<IncomingMessage>();
  server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    server.emit('request', request, response);
  });
  return {
    check(request) {
      if (!unmet.has(request)) return;
      throw new Refusal(417, 'expectation_failed', 'What the Expect header asks is not done here.');
    },
  };
}
