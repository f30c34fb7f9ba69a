/** The direction of a change in percent: `"-0.42"` is `down`, `"0.00"` and none are `flat`. */
export function trendOf(change: string | null): 'up' | 'down' | 'flat' {
  if (change === null || /^-?[0.]+$/.test(change)) return 'flat';
  return change.startsWith('-') ? 'down' : 'up';
}
