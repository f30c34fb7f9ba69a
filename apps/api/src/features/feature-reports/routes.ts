/** Ways in to the feature reports: anyone sends one, the desk sorts them. */
import {
  createFeatureReport,
  deleteFeatureReport,
  listFeatureReports,
  updateFeatureReport,
} from '@cambist/contract/feature-reports';
import type { Feature } from '#platform/feature.ts';
import { receiveOnce } from '#platform/http/filled-form.ts';
import { list, receive, remove, update } from './feature-reports.ts';

export const featureReports: Feature = {
  name: 'feature-reports',
  routes(ways, deps) {
    ways.public.serve(createFeatureReport, async ({ params, body }) => {
      await receiveOnce(deps, createFeatureReport, { params, body }, (once) => receive(once, body));
      return { data: { received: true as const } };
    });
    ways.admin.serve(listFeatureReports, ({ query }) => list(deps.db, query));
    ways.admin.serve(updateFeatureReport, async ({ params, body, actor, origin }) => ({
      data: await update(deps, { actor, origin }, params.id, body),
    }));
    ways.admin.serve(deleteFeatureReport, ({ params, actor, origin }) =>
      remove(deps, { actor, origin }, params.id),
    );
  },
};
