/** The time zone of all moments in the console: the desk's, which its settings name. */
import { getContext, setContext } from 'svelte';

const key = Symbol('desk zone');

export function setDeskZone(zone: () => string): void {
  setContext(key, zone);
}

/** Undefined outside of the console, where moments are in the visitor's own zone. */
export function getDeskZone(): (() => string) | undefined {
  return getContext<(() => string) | undefined>(key);
}
