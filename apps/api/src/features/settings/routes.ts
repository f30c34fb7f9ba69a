/**
 * Ways in to the settings: their public part for anyone, from memory; the whole
 * for admins. Secrets have no way out at all.
 */
import {
  freshSettings,
  getPublicSettings,
  getSettings,
  putSettings,
  putSettingSecret,
} from '@cambist/contract/settings';
import type { Feature } from '#platform/feature.ts';
import { requireFresh } from '#platform/guards.ts';
import { getEntry, knownSlug, putSecret, readPublic, settingsName, write } from './settings.ts';
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
    ways.admin.serve(getSettings, async ({ params }) => ({
      data: await getEntry(deps, params.slug),
    }));
    ways.admin.serve(putSettingSecret, async ({ params, body, actor, origin }) => ({
      data: await putSecret(deps, actor, origin, { ...params, plain: body.secret }),
    }));
    ways.admin.serve(putSettings, async ({ params, body, actor, origin, request }) => {
      if (freshSettings.includes(knownSlug(params.slug))) {
        requireFresh(request.session, deps.clock());
      }
      if (params.slug === 'security') {
        const hasTwoFactor = request.session?.member?.hasTwoFactor ?? false;
        refuseOwnLockOut(body.value, deps.config, { hasTwoFactor });
      }
      return { data: await write(deps, actor, origin, params.slug, body) };
    });
  },
};
