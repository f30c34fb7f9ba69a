/** Ways in to the newsletter: asking for it, the links of its letters, and the desk's list. */
import * as campaignsContract from '@cambist/contract/campaigns';
import * as contract from '@cambist/contract/newsletter';
import * as importsContract from '@cambist/contract/subscriber-imports';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/idempotency.ts';
import type { Ways } from '#platform/serve.ts';
import { sendCampaignLetter } from './campaign-letters.ts';
import * as campaigns from './campaigns.ts';
import { forgetUnconfirmed, remove } from './forgetting.ts';
import * as imports from './imports.ts';
import { CAMPAIGN_LETTERS } from './letter-store.ts';
import { endPage } from './links.ts';
import {
  confirm,
  confirmationSight,
  end,
  endSight,
  exportAll,
  list,
  noteExport,
  subscribe,
} from './newsletter.ts';
import { askForLetters, CAMPAIGN_PACE, writeLetters } from './pace.ts';
import { listRefusedLetters } from './refused-letters.ts';
import * as sending from './sending.ts';
import { CAMPAIGN_WAKE, rouseLetters, wakeLetters } from './waking.ts';
import { transaction } from '#platform/database.ts';

const idOf = (data: unknown) => (data as { id: string }).id;

export const newsletter: Feature = {
  name: 'newsletter',
  routes(ways, deps) {
    serveSubscribers(ways, deps);
    serveImports(ways, deps);
    serveCampaigns(ways, deps);
  },
  jobs: (deps) => ({
    [CAMPAIGN_PACE]: () => writeLetters(deps),
    async [CAMPAIGN_WAKE](data) {
      await wakeLetters(deps, idOf(data));
    },
    [CAMPAIGN_LETTERS]: (data, job) => sendCampaignLetter(deps, idOf(data), job),
  }),
  tasks: (deps) => [
    {
      name: 'start-due-campaigns',
      cron: '* * * * *',
      async run(now) {
        const started = await sending.startDue(deps, now);
        // Also for a campaign whose job is gone, as after a restore.
        await transaction(deps.db, (tx) => askForLetters(deps, tx));
        return `${started} started`;
      },
    },
    {
      name: 'rouse-campaign-letters',
      cron: '*/10 * * * *',
      run: async () => `${await rouseLetters(deps)} asked for again`,
    },
    {
      name: 'forget-unconfirmed-subscribers',
      cron: '45 3 * * *',
      run: async (now) => `${await forgetUnconfirmed(deps.db, now)} forgotten`,
    },
  ],
};

function serveSubscribers(ways: Ways, deps: Deps): void {
  ways.public.serve(contract.subscribe, async ({ body }) => ({
    data: await subscribe(deps, body),
  }));
  ways.public.serve(contract.getSubscription, async ({ params }) => ({
    data: await confirmationSight(deps, params.token),
  }));
  ways.public.serve(contract.confirmSubscription, ({ params }) => confirm(deps, params.token));
  ways.public.serve(contract.getUnsubscription, async ({ params }) => ({
    data: await endSight(deps, params.token),
  }));
  ways.public.serve(contract.unsubscribe, ({ params }) => end(deps, params.token));
  ways.public.serve(contract.openUnsubscription, async ({ params, reply }) =>
    reply.redirect(endPage(deps.config.frontendUrl, params.token)),
  );
  ways.admin.serve(contract.listSubscribers, ({ query }) => list(deps.db, query));
  ways.admin.serve(contract.exportSubscribers, async ({ actor, origin, reply }) => {
    await noteExport(deps.db, actor, origin);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="subscribers.csv"')
      .header('cache-control', 'private, no-store')
      .send(exportAll(deps.db));
  });
  ways.admin.serve(contract.deleteSubscriber, ({ params, actor, origin }) =>
    remove(deps, actor, origin, params.id),
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
    data: await imports.importAll(deps, actor, origin, body),
  }));
}

function serveCampaigns({ admin }: Ways, deps: Deps): void {
  admin.serve(campaignsContract.listCampaigns, ({ query }) =>
    campaigns.listCampaigns(deps.db, query),
  );
  admin.serve(campaignsContract.createCampaign, (ask) =>
    onceNamed(
      deps,
      campaignsContract.createCampaign,
      ask,
      async (once) => (await campaigns.createCampaign(once, ask.actor, ask.origin, ask.body)).id,
      async (id) => ({ data: await campaigns.getCampaign(deps.db, id) }),
    ),
  );
  admin.serve(campaignsContract.getCampaign, async ({ params }) => ({
    data: await campaigns.getCampaign(deps.db, params.id),
  }));
  admin.serve(campaignsContract.listRefusedLetters, ({ params, query }) =>
    listRefusedLetters(deps.db, params.id, query),
  );
  admin.serve(campaignsContract.saveCampaign, async ({ params, body, actor }) => ({
    data: await campaigns.saveWords(deps, actor, params.id, body),
  }));
  admin.serve(campaignsContract.deleteCampaign, ({ params, actor, origin }) =>
    campaigns.deleteCampaign(deps, actor, origin, params.id),
  );
  admin.serve(campaignsContract.getCampaignLetter, async ({ params }) => ({
    data: await campaigns.letterOf(deps, params.id),
  }));
  admin.serve(campaignsContract.testCampaign, (ask) =>
    onceNamed(
      deps,
      campaignsContract.testCampaign,
      ask,
      (once) => campaigns.sendTest(once, ask.actor, ask.origin, ask.params.id),
      async (data) => ({ data }),
    ),
  );
  admin.serve(campaignsContract.getCampaignAudience, async () => ({
    data: await sending.audience(deps),
  }));
  admin.serve(campaignsContract.sendCampaign, async ({ params, body, actor, origin, request }) => ({
    data: await sending.send(deps, actor, { origin, session: request.session }, params.id, body),
  }));
  admin.serve(campaignsContract.changeCampaign, async ({ params, body, actor, origin }) => ({
    data: await sending.change(deps, actor, origin, params.id, body.act),
  }));
}
