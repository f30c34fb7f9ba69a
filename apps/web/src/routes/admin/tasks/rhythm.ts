/** What a pattern of the scheduler means, where words are plainer than its five fields. Pure. */

export type Rhythm =
  | { readonly every: 'minute' }
  | { readonly every: 'minutes'; readonly minutes: number }
  | { readonly every: 'hour'; readonly minute: string }
  | { readonly every: 'day'; readonly time: string };

const two = (figure: string) => figure.padStart(2, '0');

/** `cron` is in UTC; null for what these words cannot say. */
export function rhythmOf(cron: string): Rhythm | null {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/);
  if (rest.join(' ') !== '* * *') return null;
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  const isFigure = (field: string) => /^\d{1,2}$/.test(field);
  if (hour === '*') {
    if (minute === '*') return { every: 'minute' };
    if (step !== undefined) return { every: 'minutes', minutes: Number.parseInt(step, 10) };
    return isFigure(minute) ? { every: 'hour', minute: two(minute) } : null;
  }
  if (!isFigure(hour) || !isFigure(minute)) return null;
  return { every: 'day', time: `${two(hour)}:${two(minute)}` };
}
