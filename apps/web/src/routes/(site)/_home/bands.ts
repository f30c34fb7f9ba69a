/**
 * The sections below the hero, in the order of the settings, without those that are off or empty.
 * Rates and latest exchanges share a row when they are neighbours. Pure.
 */
import type { HomePage, HomeSection } from '@cambist/contract/home-page';
import { hasWords } from '#lib/site/home-sections.ts';

export interface Filled {
  /** Null when the API failed; the section says so. */
  readonly rates: readonly unknown[] | null;
  readonly latest: readonly unknown[] | null;
}

export interface Layout {
  /** Leading figures are in the hero. */
  readonly openingStats: boolean;
  readonly bands: readonly (readonly HomeSection[])[];
}

export function layoutOf(home: HomePage, filled: Filled): Layout {
  const shown = home.order.filter((section) => home[section].enabled && has(home, filled)[section]);
  const openingStats = shown[0] === 'stats';
  const bands: HomeSection[][] = [];
  for (const section of openingStats ? shown.slice(1) : shown) {
    const last = bands.at(-1);
    if (last !== undefined && areSideBySide(last, section)) last.push(section);
    else bands.push([section]);
  }
  return { openingStats, bands };
}

function areSideBySide([first, ...others]: readonly HomeSection[], next: HomeSection): boolean {
  const pair = [first, next];
  return others.length === 0 && pair.includes('rates') && pair.includes('latest');
}

/** Whether it has content. */
function has(home: HomePage, { rates, latest }: Filled): Record<HomeSection, boolean> {
  return { ...hasWords(home), rates: rates?.length !== 0, latest: latest?.length !== 0 };
}
