/**
 * Sheds load when the process is too late: anonymous reads give way first; who
 * is in the middle of an exchange does not.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { unavailable } from './errors.ts';

/** Above this the process is so late that public reads are better refused. */
const MAX_EVENT_LOOP_DELAY_MS = SECOND;
const SAMPLE_MS = SECOND;
/** The sample in which the start itself falls tells nothing of the load, and counts until the next. */
const START_MS = 2 * SAMPLE_MS;

/** @throws {Refusal} 503 from public endpoints, unless they are vital */
export async function shedLoad(app: FastifyInstance): Promise<void> {
  let startedAt = Number.POSITIVE_INFINITY;
  app.addHook('onReady', (done) => {
    startedAt = performance.now();
    done();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async ({ routeOptions }) => {
      if (performance.now() - startedAt < START_MS) return;
      const { endpoint } = routeOptions.config;
      if (endpoint?.scope === 'public' && !endpoint.vital) throw unavailable('overload');
    },
  });
}
