/** Sheds load: refuses public reads first, so that exchanges go on. */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { unavailable } from './errors.ts';

const MAX_EVENT_LOOP_DELAY_MS = SECOND;
const SAMPLE_MS = SECOND;
/** The first sample includes the start itself and says nothing of the load. */
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
