/**
 * Replaces devalue's serializer in the browser (see vite.config.ts). SvelteKit only uses it for the
 * state of history entries, and no page here has one; this saves 2 kB on every page.
 * @throws when a page starts to use one; then remove this replacement
 */
export function stringify(state: object): string {
  if (Object.keys(state).length === 0) return '[{}]';
  throw new Error('A history entry got a state: take history-state.ts out of vite.config.ts.');
}

export const stringifyAsync = async (state: object): Promise<string> => stringify(state);
