/**
 * What is typed and not yet saved, kept by the browser for this tab: it outlives a
 * reload, a crash, a sign-in and a service that does not answer.
 */

/** Answers whether it is kept: the store may be full, or forbidden. */
export function keepDraft(name: string, draft: unknown): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
    return true;
  } catch {
    // Saving goes on without it.
    return false;
  }
}

export function forgetDraft(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Forbidden: there is nothing to forget.
  }
}

/** Null where nothing, or nothing readable, was kept. Whoever asks looks at its shape. */
export function keptDraft(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as unknown;
  } catch {
    return null;
  }
}
