/** Routes of the settings: their public part for anyone, cached; the whole for admins. No route answers a secret. */
import {
  freshSettings,
  getPublicSettings,
  getSettings,
  getSiteSettings,
  putSettings,
  putSettingSecret,
  type SettingSlug,
} from '@cambist/contract/settings';
import {
  checkSettings,
  getSettingsRevision,
  listSettingsRevisions,
  restoreSettings,
} from '@cambist/contract/settings-revisions';
import type { FastifyRequest } from 'fastify';
import { getRevision, listRevisions } from '#features/content/drafts.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { requireFresh } from '#platform/http/guards.ts';
import {
  allSettings,
  knownSlug,
  publicOf,
  readPublic,
  readSite,
  settingsName,
} from './settings.ts';
import { check } from './meaning.ts';
import { refuseOwnLockOut } from './two-factor-demand.ts';
import { getEntry, putSecret, subjectOf, valueOfRevision, write } from './writing.ts';

export const settings: Feature = {
  name: 'settings',
  routes(ways, deps) {
    ways.public.serve(getPublicSettings, async ({ params, reply }) => {
      const slug = knownSlug(params.slug);
      return deps.published.send(reply, settingsName(slug), async () => ({
        data: await readPublic(deps, slug),
      }));
    });
    ways.public.serve(getSiteSettings, ({ reply }) =>
      deps.published.send(reply, allSettings, async () => ({ data: await readSite(deps) })),
    );
    ways.admin.serve(getSettings, async ({ params }) => ({
      data: await getEntry(deps, params.slug),
    }));
    ways.admin.serve(putSettingSecret, async ({ params, body, ...by }) => ({
      data: await putSecret(deps, by, { ...params, plain: body.secret }),
    }));
    ways.admin.serve(putSettings, async ({ params, body, actor, origin, request }) => {
      const slug = knownSlug(params.slug);
      guardWriting(deps, request, slug, body.value);
      return { data: await write(deps, { actor, origin }, slug, body) };
    });
    ways.admin.serve(checkSettings, async ({ params, body }) => {
      const slug = knownSlug(params.slug);
      check(slug, body.value);
      return { data: publicOf(slug, body.value) };
    });
    ways.admin.serve(listSettingsRevisions, ({ params, query }) =>
      listRevisions(deps.db, subjectOf(knownSlug(params.slug)), query),
    );
    ways.admin.serve(getSettingsRevision, async ({ params: { slug, number } }) => ({
      data: await getRevision<Record<string, unknown>>(deps.db, subjectOf(knownSlug(slug)), number),
    }));
    ways.admin.serve(restoreSettings, async ({ params, body, actor, origin, request }) => {
      const slug = knownSlug(params.slug);
      const value = await valueOfRevision(deps, slug, params.number);
      guardWriting(deps, request, slug, value);
      const change = { ...body, value, restored: params.number };
      return { data: await write(deps, { actor, origin }, slug, change) };
    });
  },
};

/** Guards of saving a new value and of restoring one. @throws {Refusal} 403, 422 */
function guardWriting(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { session }: FastifyRequest,
  slug: SettingSlug,
  value: Record<string, unknown>,
): void {
  if (freshSettings.includes(slug)) requireFresh(session, clock());
  if (slug === 'security') {
    refuseOwnLockOut(value, config, { hasTwoFactor: session?.member?.hasTwoFactor ?? false });
  }
}
