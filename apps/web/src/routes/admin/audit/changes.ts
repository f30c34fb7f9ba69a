/** What an edit changed, field by field, in lines that a person reads. Pure. */
import type { AuditEvent } from '@cambist/contract/audit';

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
