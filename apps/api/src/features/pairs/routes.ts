import {
  converter,
  createPair,
  getPair,
  listPairs,
  listRoundTrips as listRoundTripsEndpoint,
  previewPair,
  ratesShowcase,
  setPairRate,
  updatePair,
} from '@cambist/contract/pairs';
import { pairRequirements } from '@cambist/contract/pair-requirements';
import { rateHistory } from '@cambist/contract/rate-history';
import type { Actor } from '#kernel/actor.ts';
import type { Ask } from '#platform/http/serve.ts';
import { read, settingsName } from '#features/content/settings/settings.ts';
import { RESERVES } from '#features/ledger/ledger.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { readHistory, thinHistory } from './history/history.ts';
import { create, setRate, update } from './editor/save.ts';
import { get, list, listRoundTrips, requirements } from './pairs.ts';
import { readPolicy } from './policy.ts';
import { POLICY_NAMES } from './policy.ts';
import { preview } from './editor/preview.ts';
import { converterAnswer, showcaseAnswer } from './public-views.ts';
import { readShownReserves } from './reserves.ts';
import { listPriced, listWithHistory } from './store.ts';

const followsRates = { follows: ['rates-showcase', ...POLICY_NAMES] };

const editorOf = ({
  actor,
  origin,
  request,
}: Pick<Ask<unknown, Actor>, 'actor' | 'origin' | 'request'>) => ({
  actor,
  origin,
  session: request.session,
});

export const pairs: Feature = {
  name: 'pairs',
  routes(ways, deps) {
    const { db, published } = deps;
    ways.public.serve(converter, async ({ reply }) => {
      const { text, bySlug } = await readShownReserves(deps);
      return published.send(
        reply,
        'converter',
        async () => ({
          data: converterAnswer(
            await listPriced(db),
            await readPolicy(deps),
            await databaseTime(db),
            bySlug,
            await read(deps, 'desk'),
          ),
        }),
        { follows: ['converter', RESERVES, settingsName('desk'), ...POLICY_NAMES], source: text },
      );
    });
    ways.public.serve(ratesShowcase, ({ reply }) =>
      published.send(
        reply,
        'rates-showcase',
        async () => ({
          data: showcaseAnswer(
            await listWithHistory(db),
            await readPolicy(deps),
            await databaseTime(db),
          ),
        }),
        followsRates,
      ),
    );
    ways.public.serve(rateHistory, ({ params: { pair }, query: { range = 'week' }, reply }) =>
      published.send(
        reply,
        `rate-history ${pair} ${range}`,
        async () => ({ data: await readHistory(deps, pair, range) }),
        followsRates,
      ),
    );
    ways.member.serve(pairRequirements, async ({ params }) => ({
      data: await requirements(db, params.slug),
    }));

    ways.admin.serve(listPairs, async () => ({ data: await list(deps) }));
    ways.admin.serve(listRoundTripsEndpoint, async () => ({ data: await listRoundTrips(deps) }));
    ways.admin.serve(getPair, async ({ params }) => ({ data: await get(deps, params.slug) }));
    ways.admin.serve(createPair, (ask) =>
      onceNamed(
        deps,
        createPair,
        ask,
        async (once) => (await create(once, editorOf(ask), ask.body)).slug,
        async (slug) => ({ data: await get(deps, slug) }),
      ),
    );
    ways.admin.serve(previewPair, async ({ body }) => ({ data: await preview(deps, body) }));
    ways.admin.serve(updatePair, async ({ params, body, ...ask }) => ({
      data: await update(deps, editorOf(ask), params.slug, body),
    }));
    ways.admin.serve(setPairRate, async ({ params, body, ...ask }) => ({
      data: await setRate(deps, editorOf(ask), params.slug, body),
    }));
  },
  tasks: (deps) => [{ name: 'thin-pair-rates', cron: '43 3 * * *', run: () => thinHistory(deps) }],
};
