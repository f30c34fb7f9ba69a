/** Routes of the library of pictures: public files; the library with the permission `content`. */
import {
  deleteMedia,
  getMediaFile,
  listMedia,
  updateMedia,
  uploadMedia,
} from '@cambist/contract/media';
import { listMediaLinks } from '@cambist/contract/linking';
import type { Feature } from '#platform/feature.ts';
import { deleteOrphans } from '#platform/files/orphans.ts';
import { addUpload } from './adding.ts';
import { folder, list, listUses, remove, sendFile, update } from './media.ts';
import { knownNames } from './store.ts';

export const media: Feature = {
  name: 'media',
  routes(ways, deps) {
    ways.public.serve(getMediaFile, ({ params, reply }) => sendFile(deps, reply, params.name));
    ways.admin.serve(listMedia, ({ query }) => list(deps.db, query));
    ways.admin.serve(uploadMedia, async ({ actor, origin, request }) => ({
      data: await addUpload(deps, { actor, origin }, request),
    }));
    ways.admin.serve(updateMedia, async ({ params, body, actor, origin }) => ({
      data: await update(deps, { actor, origin }, params.id, body),
    }));
    ways.admin.serve(listMediaLinks, ({ params }) => listUses(deps.db, params.id));
    ways.admin.serve(deleteMedia, ({ params, actor, origin }) =>
      remove(deps, { actor, origin }, params.id),
    );
  },
  tasks: (deps) => [
    {
      name: 'sweep-media',
      cron: '41 3 * * *',
      async run() {
        const deleted = await deleteOrphans(deps, folder, (names) => knownNames(deps.db, names));
        return `${deleted} orphaned files deleted`;
      },
    },
  ],
};
