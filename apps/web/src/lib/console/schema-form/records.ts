/** What a field that names a record can be chosen from, with what it names by now though it is not there. Pure. */
import type { Choice } from '#lib/ui/NativeSelect.svelte';

/** Whether something is named that is not among the records. */
export function isMissing(records: readonly Choice[], chosen: string): boolean {
  return chosen !== '' && !records.some(({ value }) => value === chosen);
}

/** What is not offered any more must still be seen to be chosen. */
export function recordChoices(
  records: readonly Choice[],
  chosen: string,
  nameOfMissing: (chosen: string) => string,
): readonly Choice[] {
  return isMissing(records, chosen)
    ? [...records, { value: chosen, label: nameOfMissing(chosen) }]
    : records;
}
