/** What an event was done to: its name and the page that shows it. Pure. */
import type { AuditEvent } from '@cambist/contract/audit';

type Told = Pick<
  AuditEvent,
  'action' | 'actor_id' | 'subject_kind' | 'subject_id' | 'subject_name' | 'subject_email' | 'data'
>;

export interface Subject {
  /** Null where only a number without meaning is known. */
  readonly name: string | null;
  readonly href: string | null;
}

/** "Mira Lind (mira@example.com)"; null for an account that is gone. */
export function personOf({
  subject_name: name,
  subject_email: email,
}: Pick<Told, 'subject_name' | 'subject_email'>): string | null {
  return name === null ? null : `${name} (${email ?? ''})`;
}

/** Null for an event about nothing in particular, and about oneself. */
export function subjectOf(event: Told): Subject | null {
  const { action, actor_id, subject_kind: kind, subject_id: id, data } = event;
  if (kind === null || id === null) return null;
  const slug = word(data['slug']) ?? word(data['currency']);
  switch (kind) {
    case 'user':
      return id === actor_id
        ? null
        : {
            name: personOf(event),
            href: event.subject_name === null ? null : `/admin/users/${id}`,
          };
    case 'exchange':
      return { name: id, href: `/admin/exchanges/${encodeURIComponent(id)}?queue=all` };
    case 'currency':
      return at(slug, action.startsWith('reserve.') ? '/admin/reserves/' : '/admin/currencies/');
    case 'pair':
      return at(slug, '/admin/pairs/');
    case 'legal_page':
      return kept(word(data['title']) ?? slug, action, `/admin/legal-pages/${id}`);
    case 'rate':
    case 'rate-provider':
      return { name: id, href: '/admin/rates' };
    case 'rate-run':
      return { name: word(data['outcome']), href: '/admin/rates' };
    case 'task':
      return { name: id, href: '/admin/tasks' };
    case 'contact_submission':
      return kept(word(data['reference']), action, `/admin/messages/${id}`);
    case 'feature_report':
      return kept(word(data['title']), action, '/admin/feature-reports');
    case 'subscriber_import':
      return { name: null, href: '/admin/subscribers/imports' };
    case 'subscriber':
      return null;
    case 'campaign':
      return kept(word(data['subject']), action, `/admin/campaigns/${id}`);
    case 'post':
      return kept(word(data['title']) ?? slug, action, `/admin/blog/${id}`);
    case 'media':
      return kept(word(data['name']), action, '/admin/media');
    case 'settings':
      return { name: id, href: `/admin/settings/${encodeURIComponent(id)}/history` };
    default:
      return { name: word(data['kind']), href: null };
  }
}

function at(slug: string | null, path: string): Subject {
  return { name: slug, href: slug === null ? null : path + encodeURIComponent(slug) };
}

/** What was deleted has a name, and no page any more. */
function kept(name: string | null, action: string, href: string): Subject {
  return { name, href: name === null || action.endsWith('.deleted') ? null : href };
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
