/** Ways in to emails: the admins' list, the local mailbox of a trial desk, and the job that sends. */
import * as contract from '@cambist/contract/email';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/http/serve.ts';
import { isLoopbackHost } from '../../mail-server.ts';
import { listEmails, mailStatus, retryAll, retryEmail, sendTest } from './admin.ts';
import { formerServerQueue } from './email.ts';
import { findInMailbox, listMailbox } from './mailbox.ts';
import { emailPage, emailPolicy, framed, listPage, mailboxPolicy } from './mailbox-pages.ts';
import { emailQueue } from './outbox.ts';
import { EMAILS, FORMER_SERVER } from './queue.ts';
import { deleteCountsBefore, deleteDoneBefore } from './store.ts';

/** Long enough to answer a complaint about an exchange; the exchange itself stays. */
const DONE_DAYS = 90;
/** For an email to a deleted user that could not be sent: long enough to mend the server. */
const DELETABLE_DAYS = 7;
/** The limits look one day back. */
const COUNTED_DAYS = 2;

export const email: Feature = {
  name: 'email',
  routes(ways, deps) {
    serveAdmin(ways, deps);
    if (deps.config.appEnv === 'local') serveMailbox(ways, deps);
  },
  jobs: (deps) => ({
    [EMAILS]: emailQueue(deps),
    [FORMER_SERVER]: formerServerQueue(deps),
  }),
  tasks: (deps) => [
    {
      name: 'delete-old-emails',
      cron: '40 3 * * *',
      async run() {
        const ago = (days: number) => new Date(deps.clock().getTime() - days * DAY);
        return transaction(deps.db, async (tx) => {
          await deleteCountsBefore(tx, ago(COUNTED_DAYS));
          const before = { done: ago(DONE_DAYS), deletable: ago(DELETABLE_DAYS) };
          return `${await deleteDoneBefore(tx, before)} deleted`;
        });
      },
    },
  ],
};

function serveAdmin({ admin }: Ways, deps: Deps): void {
  admin.serve(contract.listEmails, ({ query }) => listEmails(deps, query));
  admin.serve(contract.getMailStatus, async () => ({ data: await mailStatus(deps) }));
  admin.serve(contract.retryEmail, async ({ params, actor, origin }) => ({
    data: await retryEmail(deps, { actor, origin }, params.id),
  }));
  admin.serve(contract.retryEmails, async ({ actor, origin }) => ({
    data: await retryAll(deps, { actor, origin }),
  }));
  admin.serve(contract.sendTestEmail, async ({ body, actor, origin }) => ({
    data: await sendTest(deps, { actor, origin }, body.recipient),
  }));
}

function serveMailbox({ public: anyone }: Ways, deps: Deps): void {
  const { config } = deps;
  const answer = (reply: FastifyReply, policy: string, html: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .send(html);
  const found = async (id: string) => {
    const stored = await findInMailbox(config, id);
    if (stored === null) throw notFound();
    return stored;
  };

  anyone.serve(contract.openMailbox, async ({ request, reply }) => {
    onlyHere(request, config.appUrl);
    return answer(reply, mailboxPolicy, listPage(await listMailbox(config)));
  });
  anyone.serve(contract.openMailboxEmail, async ({ params, request, reply }) => {
    onlyHere(request, config.appUrl);
    return answer(reply, mailboxPolicy, emailPage(await found(params.id)));
  });
  anyone.serve(contract.openMailboxHtml, async ({ params, request, reply }) => {
    onlyHere(request, config.appUrl);
    reply.header('x-frame-options', 'SAMEORIGIN');
    return answer(reply, emailPolicy(config.frontendUrl), framed(await found(params.id)));
  });
}

/**
 * Emails open accounts, so no other machine on the network reads them; nor does a foreign page
 * whose name leads to this machine.
 */
function onlyHere({ ip, host }: FastifyRequest, appUrl: string): void {
  if (!URL.canParse(`http://${host}`)) throw notFound();
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const named = isLoopbackHost(bare) || hostname === new URL(appUrl).hostname;
  if (!named || !isLoopbackHost(ip.replace(/^::ffff:/, ''))) throw notFound();
}
