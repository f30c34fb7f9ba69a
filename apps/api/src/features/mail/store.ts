/** What is remembered of letters. */
import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '#platform/database.ts';
import type { LettersTable } from '#platform/letters-table.ts';

export type LetterRow = Selectable<LettersTable>;

export async function insertLetter(tx: Tx, letter: Insertable<LettersTable>): Promise<void> {
  await tx.insertInto('letters').values(letter).execute();
}
