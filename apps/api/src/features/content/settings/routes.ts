/**
 * Ways in to the settings: their public part for anyone, from memory; the whole
 * for admins. Secrets have no way out at all.
 */
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
  listSettingsHistory,
  restoreSettings,
} from '@cambist/contract/settings-history';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { requireFresh } from '#platform/guards.ts';
import { listHistory } from './history.ts';
import { valueOfVersion } from './older.ts';
import {
  allSettings,
  check,
  getEntry,
  knownSlug,
  publicOf,
  putSecret,
  readPublic,
  readSite,
  settingsName,
  write,
} from './settings.ts';
import { refuseOwnLockOut } from './two-factor-demand.ts';

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
    ways.admin.serve(putSettingSecret, async ({ params, body, actor, origin }) => ({
      data: await putSecret(deps, actor, origin, {
        ...params,
        plain: body.secret,
        version: body.version,
      }),
    }));
    ways.admin.serve(putSettings, async ({ params, body, actor, origin, request }) => {
      const slug = knownSlug(params.slug);
      guardWriting(deps, request, slug, body.value);
      return { data: await write(deps, actor, origin, slug, body) };
    });
    ways.admin.serve(checkSettings, async ({ params, body }) => {
      const slug = knownSlug(params.slug);
      check(slug, body.value);
      return { data: publicOf(slug, body.value) };
    });
    ways.admin.serve(listSettingsHistory, async ({ params, query }) =>
      listHistory(deps.db, knownSlug(params.slug), query),
    );
    ways.admin.serve(restoreSettings, async ({ params, body, actor, origin, request }) => {
      const { number } = params;
      const slug = knownSlug(params.slug);
      const value = await valueOfVersion(deps, slug, number);
      guardWriting(deps, request, slug, value);
      const change = { ...body, value, restored: number };
      return { data: await write(deps, actor, origin, slug, change) };
    });
  },
};

/** What must be true of who writes, whether the value is new or an older one. @throws {Refusal} 403, 422 */
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
