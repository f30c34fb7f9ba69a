/**
 * Scripts that a post brings: whether the operator has them run at all, who may
 * publish which, and what the audit log is told of it.
 */
import { createHash } from 'node:crypto';
import { readHeadScripts, type HeadScripts } from '@cambist/html/head-scripts';
import { MarkupFault, readJsonLd } from '@cambist/html/json-ld';
import type { Actor, Origin } from '#kernel/actor.ts';
import { canonical } from '#kernel/canonical.ts';
import { Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import type { Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { PostRow } from './store.ts';

/** The operator's switch: off on a new desk. */
export async function scriptsRun(deps: Pick<Deps, 'db' | 'published'>): Promise<boolean> {
  return (await read(deps, 'security')).head_scripts;
}

/** @throws {MarkupFault} for what may not be published */
export function checkHead(source: string, mayRun: boolean): void {
  if (mayRun) readHeadScripts(source);
  else readJsonLd(source);
}

/** What was kept; nothing where it is being written, or was kept before a rule that it breaks. */
export function keptHead(source: string): HeadScripts {
  try {
    return readHeadScripts(source);
  } catch (error) {
    if (error instanceof MarkupFault) return { structured: [], scripts: [] };
    throw error;
  }
}

interface Publishing {
  readonly actor: Actor | 'system';
  readonly origin: Origin | null;
  /** As it was before. */
  readonly row: PostRow;
  readonly demandFresh: () => void;
}

/**
 * Where the working copy has other scripts than what is public, it takes somebody
 * who answers for the whole desk, shows who they are, and stands in the audit log.
 * @throws {Refusal} 403; {MarkupFault} where the working copy was not judged before
 */
export async function tellScripts(
  tx: Tx,
  { actor, origin, row, demandFresh }: Publishing,
): Promise<void> {
  const replaced = row.published_at === null ? [] : keptHead(row.head_script).scripts;
  const { scripts } = readHeadScripts(row.draft.head_script);
  if (canonical(scripts) === canonical(replaced)) return;
  // To take scripts away is for whoever writes; to have others run is not.
  if (scripts.length > 0 && actor !== 'system' && !actor.permissions.includes('settings')) {
    throw new Refusal(
      403,
      'permission_missing',
      'Only an admin with the permission "settings" may publish other scripts than those that are public.',
    );
  }
  demandFresh();
  const hashes = { scripts: scripts.map(hashOf), replaced: replaced.map(hashOf) };
  const data = { slug: row.draft.slug, title: row.draft.title, ...hashes };
  await record(tx, {
    actor,
    origin,
    action: 'blog.scripts_published',
    subject_kind: 'post',
    subject_id: row.id,
    data,
  });
}

/** As the page's Content-Security-Policy names it. */
function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}
