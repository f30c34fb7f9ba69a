/**
 * The post's ways in: the admins' list of letters and its acts, the local
 * mailbox of a trial desk, and the jobs that send.
 */
import * as contract from '@cambist/contract/mail';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/serve.ts';
import { isLoopbackHost } from '../../mail-server.ts';
import { forgetCounts, tellDropped } from './allowance.ts';
import { findInMailbox, listMailbox } from './mailbox.ts';
import { framed, letterPage, letterPolicy, listPage, mailboxPolicy } from './mailbox-pages.ts';
import { listLetters, mailStatus, replay, replayAll, sendTest } from './office.ts';
import { rouseForgotten, sendLetter } from './outbox.ts';
import { LETTERS } from './queue.ts';
import { deleteDoneBefore } from './store.ts';

/** Long enough to answer a complaint about an exchange; the exchange itself is kept. */
const KEPT_DAYS = 90;
/** For a letter to somebody who is forgotten that could not be sent: long enough to mend the server. */
const FLEETING_DAYS = 7;

export const mail: Feature = {
  name: 'mail',
  routes(ways, deps) {
    serveOffice(ways, deps);
    if (deps.config.appEnv === 'local') serveMailbox(ways, deps);
  },
  jobs: (deps) => ({
    [LETTERS]: (data, job) => sendLetter(deps, (data as { id: string }).id, { job }),
  }),
  tasks: (deps) => [
    {
      name: 'rouse-forgotten-letters',
      cron: '*/10 * * * *',
      run: async () => `${await rouseForgotten(deps)} asked for again`,
    },
    {
      name: 'tell-dropped-letters',
      cron: '*/10 * * * *',
      run: async () => `${await tellDropped(deps)} dropped`,
    },
    {
      name: 'forget-old-letters',
      cron: '40 3 * * *',
      async run() {
        const ago = (days: number) => new Date(deps.clock().getTime() - days * DAY);
        const before = { done: ago(KEPT_DAYS), fleeting: ago(FLEETING_DAYS) };
        return transaction(deps.db, async (tx) => {
          await forgetCounts(tx, deps.clock());
          return `${await deleteDoneBefore(tx, before)} removed`;
        });
      },
    },
  ],
};

function serveOffice({ admin }: Ways, deps: Deps): void {
  admin.serve(contract.listLetters, ({ query }) => listLetters(deps, query));
  admin.serve(contract.getMailStatus, async () => ({ data: await mailStatus(deps) }));
  admin.serve(contract.replayLetter, async ({ params, actor, origin }) => ({
    data: await replay(deps, actor, origin, params.id),
  }));
  admin.serve(contract.replayLetters, async ({ actor, origin }) => ({
    data: await replayAll(deps, actor, origin),
  }));
  admin.serve(contract.sendTestLetter, async ({ body, actor, origin }) => ({
    data: await sendTest(deps, actor, origin, body.recipient),
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
    const letter = await findInMailbox(config, id);
    if (letter === null) throw notFound();
    return letter;
  };

  anyone.serve(contract.openMailbox, async ({ request, reply }) => {
    onlyHere(request, config.appUrl);
    return answer(reply, mailboxPolicy, listPage(await listMailbox(config)));
  });
  anyone.serve(contract.openKeptLetter, async ({ params, request, reply }) => {
    onlyHere(request, config.appUrl);
    return answer(reply, mailboxPolicy, letterPage(await found(params.id)));
  });
  anyone.serve(contract.openKeptHtml, async ({ params, request, reply }) => {
    onlyHere(request, config.appUrl);
    reply.header('x-frame-options', 'SAMEORIGIN');
    return answer(reply, letterPolicy(config.frontendUrl), framed(await found(params.id)));
  });
}

/**
 * Letters open accounts, so nobody else on the network reads them; nor does a foreign page
 * whose name was made to lead to this machine.
 */
function onlyHere({ ip, host }: FastifyRequest, appUrl: string): void {
  if (!URL.canParse(`http://${host}`)) throw notFound();
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const named = isLoopbackHost(bare) || hostname === new URL(appUrl).hostname;
  if (!named || !isLoopbackHost(ip.replace(/^::ffff:/, ''))) throw notFound();
}
