/** Views of the desk's list: each operator sees and changes only their own. */
import { maxDeskViews, type DeskView, type DeskViewFilters } from '@cambist/contract/desk-views';
import type { Actor } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { transaction, violatedConstraint, type Db } from '#platform/db/database.ts';
import * as store from '../store/desk-views.ts';

/** @throws Refusal 409 `too_many_views`; 422 on `name` */
export async function addView(
  db: Db,
  { id: operatorId }: Actor,
  { name, filters }: { name: string; filters: DeskViewFilters },
): Promise<DeskView> {
  const view = { id: newId(), name: name.trim(), filters };
  await transaction(db, async (tx) => {
    await store.lockViews(tx, operatorId);
    if ((await store.listViews(tx, operatorId)).length >= maxDeskViews) {
      throw new Refusal(
        409,
        'too_many_views',
        `You have ${maxDeskViews} views. Delete one of them first.`,
      );
    }
    await store.insertView(tx, { ...view, operator_id: operatorId });
  }).catch(orNameTaken);
  return view;
}

/** @throws Refusal 404; 422 on `name` */
export async function renameView(
  db: Db,
  { id: operatorId }: Actor,
  id: Id,
  name: string,
): Promise<DeskView> {
  const view = await store
    .updateViewName(db, { id, operatorId, name: name.trim() })
    .catch(orNameTaken);
  if (!view) throw notFound();
  return view;
}

/** @throws Refusal 404 */
export async function removeView(db: Db, { id: operatorId }: Actor, id: Id): Promise<void> {
  if (!(await store.deleteView(db, id, operatorId))) throw notFound();
}

function orNameTaken(error: unknown): never {
  if (violatedConstraint(error) === 'exchange_views_name') {
    throw invalid({ name: 'You have a view of this name already.' });
  }
  throw error;
}
