/** Cursors of lists that are ordered by a time, in milliseconds, and then by id. Pure. */
import type { Id } from './id.ts';
import { invalid } from './refusal.ts';

export interface TimePlace {
  readonly at: Date;
  readonly id: Id;
}

export function writeTimeCursor({ at, id }: TimePlace): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/** @throws {Refusal} 422 on `cursor` */
export function readTimeCursor(cursor: string): TimePlace {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, time, id] =
    /^(\d{1,13}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (time === undefined || id === undefined) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  return { at: new Date(Number.parseInt(time, 10)), id };
}
