/** Users: the console's pages about them, and export and deletion of one's own account. */
import { deleteAccount, exportAccount } from '@cambist/contract/accounts';
import * as contract from '@cambist/contract/users';
import * as manage from '#features/auth/admin/manage-user.ts';
import { memberContextOf } from '#features/auth/sessions/request-context.ts';
import { listSessions } from '#features/auth/sessions/sessions.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { linkFailed } from '#platform/http/personal-links.ts';
import type { Ways } from '#platform/http/serve.ts';
import { newGuest } from '#platform/security/sessions.ts';
import { deleteOwn, exportOwn } from './own-data.ts';
import { unverifiedTask } from './unverified.ts';
import { get, list } from './users.ts';

export const users: Feature = {
  name: 'users',
  routes(ways, deps) {
    serveOwnData(ways, deps);
    serveConsole(ways, deps);
  },
  tasks: (deps) => [unverifiedTask(deps)],
};

function serveOwnData({ member }: Ways, deps: Deps): void {
  member.serve(
    exportAccount,
    async ({ reply, ...ask }) => {
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="account.json"')
        .header('cache-control', 'private, no-store')
        .send(await exportOwn(deps, memberContextOf(ask)));
    },
    linkFailed(deps, '/account'),
  );
  member.serve(deleteAccount, async ({ body, ...ask }) => {
    await deleteOwn(deps, memberContextOf(ask), body.email);
    ask.request.session = newGuest(deps.keys, deps.clock());
  });
}

function serveConsole({ admin }: Ways, deps: Deps): void {
  const detail = async (id: string) => ({ data: await get(deps.db, id) });

  admin.serve(contract.listUsers, ({ query }) => list(deps.db, query));
  admin.serve(contract.getUserDetail, ({ params }) => detail(params.id));
  admin.serve(contract.changeUserRole, async ({ actor, origin, params, body }) => {
    await manage.changeRole(deps, { actor, origin }, params.id, body);
    return detail(params.id);
  });
  admin.serve(contract.disableUser, async ({ actor, origin, params, body }) => {
    await manage.disable(deps, { actor, origin }, params.id, body.reason);
    return detail(params.id);
  });
  admin.serve(contract.enableUser, async ({ actor, origin, params }) => {
    await manage.enable(deps, { actor, origin }, params.id);
    return detail(params.id);
  });
  admin.serve(contract.listUserSessions, async ({ params, request }) => ({
    data: await listSessions(deps, params.id, request.session),
  }));
  admin.serve(contract.endUserSessions, ({ actor, origin, params }) =>
    manage.endAllSessions(deps, { actor, origin }, params.id),
  );
  admin.serve(contract.forcePasswordReset, ({ actor, origin, params }) =>
    manage.forceReset(deps, { actor, origin }, params.id),
  );
  admin.serve(contract.removeUserSecondFactor, ({ actor, origin, params, body }) =>
    manage.removeSecondFactor(deps, { actor, origin }, params.id, body.reason),
  );
}
