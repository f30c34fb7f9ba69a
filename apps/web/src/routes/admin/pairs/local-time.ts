/** Between a moment and what the browser's field for a day and a time writes, in the person's own zone. Pure. */

/** `"2026-11-21T18:30"`; '' for none. */
export function toLocalTime(iso: string): string {
  if (iso === '') return '';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** ISO 8601 in UTC; '' where nothing, or no moment, is written. */
export function fromLocalTime(text: string): string {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
