/** Ways in to the newsletter: subscribing, the links of its emails, and the console's pages. */
import * as campaignsContract from '@cambist/contract/campaigns';
import * as contract from '@cambist/contract/newsletter';
import * as importsContract from '@cambist/contract/subscriber-imports';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/http/serve.ts';
import * as campaigns from './campaigns.ts';
import * as imports from './imports.ts';
import { unsubscribePage } from './links.ts';
import * as subscribing from './newsletter.ts';
import * as sending from './sending.ts';
import * as subscribers from './subscribers.ts';

export const newsletter: Feature = {
  name: 'newsletter',
  routes(ways, deps) {
    serveSubscribers(ways, deps);
    serveImports(ways, deps);
    serveCampaigns(ways, deps);
  },
  jobs: (deps) => ({
    [sending.CAMPAIGN_BATCHES]: () => sending.handOverBatch(deps),
    [sending.CAMPAIGN_EMAILS]: sending.campaignEmailQueue(deps),
  }),
  tasks: (deps) => [
    {
      name: 'start-due-campaigns',
      cron: '* * * * *',
      async run(now) {
        const started = await sending.startDue(deps, now);
        // Also for a campaign whose job is gone.
        await transaction(deps.db, (tx) => sending.requestBatch(deps, tx));
        return `${started} started`;
      },
    },
    {
      name: 'forget-unconfirmed-subscribers',
      cron: '45 3 * * *',
      run: async (now) => `${await subscribing.forgetUnconfirmed(deps.db, now)} forgotten`,
    },
  ],
};

function serveSubscribers(ways: Ways, deps: Deps): void {
  ways.public.serve(contract.subscribe, async ({ body }) => ({
    data: await subscribing.subscribe(deps, body),
  }));
  ways.public.serve(contract.getSubscription, async ({ params }) => ({
    data: await subscribing.getSubscription(deps, params.token),
  }));
  ways.public.serve(contract.confirmSubscription, ({ params }) =>
    subscribing.confirm(deps, params.token),
  );
  ways.public.serve(contract.getUnsubscription, async ({ params }) => ({
    data: await subscribing.getUnsubscription(deps, params.token),
  }));
  ways.public.serve(contract.unsubscribe, ({ params }) =>
    subscribing.unsubscribe(deps, params.token),
  );
  ways.public.serve(contract.openUnsubscription, async ({ params, reply }) =>
    reply.redirect(unsubscribePage(deps.config.frontendUrl, params.token)),
  );
  ways.admin.serve(contract.listSubscribers, ({ query }) => subscribers.list(deps.db, query));
  ways.admin.serve(contract.exportSubscribers, async ({ actor, origin, reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="subscribers.csv"')
      .header('cache-control', 'private, no-store')
      .send(await subscribers.exportAll(deps.db, { actor, origin })),
  );
  ways.admin.serve(contract.deleteSubscriber, ({ params, actor, origin }) =>
    subscribers.remove(deps, { actor, origin }, params.id),
  );
}

function serveImports({ admin }: Ways, deps: Deps): void {
  admin.serve(importsContract.listSubscriberImports, async () => ({
    data: await imports.listAll(deps.db),
  }));
  admin.serve(importsContract.previewSubscriberImport, async ({ body }) => ({
    data: await imports.preview(deps, body),
  }));
  admin.serve(importsContract.importSubscribers, async ({ actor, origin, body }) => ({
    data: await imports.importAll(deps, { actor, origin }, body),
  }));
}

function serveCampaigns({ admin }: Ways, deps: Deps): void {
  admin.serve(campaignsContract.listCampaigns, ({ query }) =>
    campaigns.listCampaigns(deps.db, query),
  );
  admin.serve(campaignsContract.createCampaign, async ({ body, actor, origin }) => ({
    data: await campaigns.createCampaign(deps, { actor, origin }, body),
  }));
  admin.serve(campaignsContract.getCampaign, async ({ params }) => ({
    data: await campaigns.getCampaign(deps.db, params.id),
  }));
  admin.serve(campaignsContract.saveCampaign, async ({ params, body }) => ({
    data: await campaigns.saveContent(deps, params.id, body),
  }));
  admin.serve(campaignsContract.deleteCampaign, ({ params, actor, origin }) =>
    campaigns.deleteCampaign(deps, { actor, origin }, params.id),
  );
  admin.serve(campaignsContract.previewCampaign, async ({ params }) => ({
    data: await campaigns.previewCampaign(deps, params.id),
  }));
  admin.serve(campaignsContract.testCampaign, async ({ params, actor, origin }) => ({
    data: await campaigns.sendTest(deps, { actor, origin }, params.id),
  }));
  admin.serve(campaignsContract.getCampaignAudience, async () => ({
    data: await sending.audience(deps),
  }));
  admin.serve(campaignsContract.sendCampaign, async ({ params, body, actor, origin, request }) => ({
    data: await sending.send(deps, { actor, origin, session: request.session }, params.id, body),
  }));
  admin.serve(campaignsContract.changeCampaign, async ({ params, body, actor, origin }) => ({
    data: await sending.change(deps, { actor, origin }, params.id, body.act),
  }));
}
