/** Exchanges: quotes, actions of customers and operators, and tasks. */
import { followDesk } from '@cambist/contract/desk';
import type { Feature } from '#platform/feature.ts';
import { overdueTask } from './actions/end-unpaid.ts';
import { digestTask } from './digest.ts';
import { openFollowers } from './followers.ts';
import { reconciliationTasks } from './reconciliation.ts';
import { retentionTask, unpaidProofsTask } from './retention.ts';
import { serveCustomer, serveCustomerReads } from './routes/customer.ts';
import { serveOperator } from './routes/operator.ts';
import { servePublic } from './routes/quotes.ts';
import { unseenTask } from './unseen.ts';

export const exchanges: Feature = {
  name: 'exchanges',
  routes(ways, deps) {
    servePublic(ways, deps);
    const follow = openFollowers(deps);
    serveCustomer(ways, deps);
    serveCustomerReads(ways, deps, follow);
    ways.admin.serve(followDesk, (ask) => follow(ask, null));
    serveOperator(ways, deps);
  },
  tasks: (deps) => [
    digestTask(deps),
    overdueTask(deps),
    ...reconciliationTasks(deps),
    retentionTask(deps),
    unpaidProofsTask(deps),
    unseenTask(deps),
  ],
};
