/** Search, keyboard and position of a searchable list. */
import type { ComboboxChoice } from './Combobox.svelte';

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Choices that contain every word of the query; those that begin with it first. */
export function filterChoices(
  choices: readonly ComboboxChoice[],
  query: string,
): readonly ComboboxChoice[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const found = choices.filter((choice) => {
    const text = plain([choice.label, choice.detail ?? '', ...(choice.keywords ?? [])].join(' '));
    return words.every((word) => text.includes(word));
  });
  const begins = (choice: ComboboxChoice) =>
    plain(choice.label).startsWith(words[0] ?? '') ? 0 : 1;
  return found.toSorted((a, b) => begins(a) - begins(b));
}

/**
 * The choice that a key moves to; null for other keys. `typing`: Home and End move in the text, and
 * letters are searched.
 */
export function stepChoice(
  choices: readonly ComboboxChoice[],
  active: string,
  key: string,
  typing: boolean,
): string | null {
  const usable = choices.filter((choice) => !choice.disabled);
  if (usable.length === 0) return null;
  const at = usable.findIndex((choice) => choice.value === active);
  const pick = (index: number) => usable.at(index % usable.length)?.value ?? null;
  if (key === 'ArrowDown') return pick(at + 1);
  if (key === 'ArrowUp') return pick(at <= 0 ? -1 : at - 1);
  if (typing) return null;
  if (key === 'Home') return pick(0);
  if (key === 'End') return pick(-1);
  if (key.length !== 1 || key === ' ') return null;
  const rest = [...usable.slice(at + 1), ...usable.slice(0, at + 1)];
  return rest.find((choice) => plain(choice.label).startsWith(plain(key)))?.value ?? null;
}

const gapPx = 6;
const marginPx = 12;

/** Places the panel below its trigger, or above it where there is more room. */
export function placeBeside(panel: HTMLElement, trigger: HTMLElement): void {
  // On a phone the stylesheet places it at the bottom.
  if (innerWidth < 640) return panel.removeAttribute('style');
  const box = trigger.getBoundingClientRect();
  const width = 320;
  const end = document.documentElement.dir === 'rtl' ? box.left : box.right - width;
  const left = Math.max(marginPx, Math.min(end, innerWidth - width - marginPx));
  const below = innerHeight - box.bottom > 300 || innerHeight - box.bottom > box.top;
  panel.style.left = `${left + scrollX}px`;
  panel.style.top = below ? `${box.bottom + gapPx + scrollY}px` : 'auto';
  panel.style.bottom = below ? 'auto' : `${innerHeight - box.top + gapPx - scrollY}px`;
}
