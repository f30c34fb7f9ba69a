/**
 * Values that outlive a reload in this tab, in its `sessionStorage`. Where that is full or forbidden,
 * nothing is stored, and pages work without it.
 */

/** Undefined when nothing readable is stored. */
export function readCopy(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeCopy(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden.
  }
}

export function removeCopy(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // The storage is forbidden, so there is no copy.
  }
}
