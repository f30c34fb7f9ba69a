/**
 * Node itself answers 417 to a request whose `Expect` header asks for more than `100-continue`, without the
 * CORS headers that a script needs to read it. Such a request is passed on instead and refused here.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#kernel/refusal.ts';

export interface ExpectHeader {
  /** @throws Refusal 417 */
  check(request: IncomingMessage): void;
}

export function openExpectHeader({ server }: FastifyInstance): ExpectHeader {
  const unmet = new WeakSet<IncomingMessage>();
  server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    server.emit('request', request, response);
  });
  return {
    check(request) {
      if (!unmet.has(request)) return;
      throw new Refusal(417, 'expectation_failed', 'The Expect header is not supported.');
    },
  };
}
