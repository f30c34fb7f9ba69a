/** The subject of an event with its page, and what the event changed, field by field. Pure. */
import type { AuditEvent } from '@cambist/contract/audit';

type EventFacts = Pick<
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
}: Pick<EventFacts, 'subject_name' | 'subject_email'>): string | null {
  return name === null ? null : `${name} (${email ?? ''})`;
}

/** Null for an event about nothing in particular, and about oneself. */
export function subjectOf(event: EventFacts): Subject | null {
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
      return linked(word(data['title']) ?? slug, action, `/admin/legal-pages/${id}`);
    case 'rate':
    case 'rate-provider':
      return { name: id, href: '/admin/rates' };
    case 'rate-run':
      return { name: word(data['outcome']), href: '/admin/rates' };
    case 'task':
      return { name: id, href: '/admin/tasks' };
    case 'contact_submission':
      return linked(word(data['reference']), action, `/admin/messages/${id}`);
    case 'feature_report':
      return linked(word(data['title']), action, '/admin/feature-reports');
    case 'subscriber_import':
      return { name: null, href: '/admin/subscribers/imports' };
    case 'subscriber':
      return null;
    case 'campaign':
      return linked(word(data['subject']), action, `/admin/campaigns/${id}`);
    case 'post':
      return linked(word(data['title']) ?? slug, action, `/admin/blog/${id}`);
    case 'media':
      return linked(word(data['name']), action, '/admin/media');
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
function linked(name: string | null, action: string, href: string): Subject {
  return { name, href: name === null || action.endsWith('.deleted') ? null : href };
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export interface Change {
  /** As the data calls it: the name of the field is looked up elsewhere. */
  readonly field: string;
  /** Null: nothing was there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Empty for an event that keeps no two sides. */
export function changesOf({ data }: Pick<AuditEvent, 'data'>): Change[] {
  const changes = data['changes'];
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([field, sides]) =>
    isRecord(sides) && 'before' in sides && 'after' in sides
      ? [{ field, before: textOf(sides['before']), after: textOf(sides['after']) }]
      : [],
  );
}

/** What else the event keeps. */
export function restOf({ data }: Pick<AuditEvent, 'data'>): Record<string, unknown> {
  if (changesOf({ data }).length === 0) return data;
  const { changes: _changes, ...rest } = data;
  return rest;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Figures as they are; what has parts, as `name: value` in a row. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? '–').join('; ') || null;
  if (isRecord(value))
    return (
      Object.entries(value)
        .filter(([name, part]) => name !== 'id' && textOf(part) !== null)
        .map(([name, part]) => `${name.replaceAll('_', ' ')}: ${textOf(part)}`)
        .join(', ') || null
    );
  return String(value);
}
