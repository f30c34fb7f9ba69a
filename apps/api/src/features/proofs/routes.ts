/** The desk's access to files of proofs; customers have theirs in exchanges. */
import { getDeskProofFile } from '@cambist/contract/desk';
import type { Feature } from '#platform/feature.ts';
import { linkFailed } from '#platform/http/personal-links.ts';
import { sendProof } from './proofs.ts';
import { findProof } from './store.ts';
import { sweepProofs } from './sweep.ts';

export const proofs: Feature = {
  name: 'proofs',
  routes(ways, deps) {
    ways.admin.serve(
      getDeskProofFile,
      async ({ params, query, reply }) =>
        sendProof(deps, reply, await findProof(deps.db, params.id), {
          original: query.original ?? false,
        }),
      linkFailed(deps, '/admin/exchanges'),
    );
  },
  tasks: (deps) => [sweepProofs(deps)],
};
