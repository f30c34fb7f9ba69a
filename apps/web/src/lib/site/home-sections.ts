/** Which sections of the home page have anything in them, and what leads to those that are not shown. Pure. */
import type { HomePage, HomeSection } from '@cambist/contract/home-page';

/** Whether there is anything in it, of what the settings themselves hold. */
export function hasWords({
  stats,
  how_it_works,
  features,
  testimonials,
  faq,
}: HomePage): Record<Exclude<HomeSection, 'rates' | 'latest'>, boolean> {
  return {
    stats: stats.items.length > 0,
    how_it_works: how_it_works.steps.length > 0,
    features: features.items.length > 0,
    testimonials: testimonials.items.length > 0,
    faq: faq.items.length > 0,
    newsletter: true,
  };
}

/** What a point's heading is under its section's, which may be empty: no step between two headings is left out. */
export function headingUnder(title: string): 'h2' | 'h3' {
  return title ? 'h3' : 'h2';
}

/** The sections that have an address of their own. */
export const sectionIds = {
  how_it_works: 'how-it-works',
  faq: 'questions',
  newsletter: 'newsletter',
} as const;

/** The addresses that lead nowhere, since their section is off or empty. */
export function deadAnchors(home: HomePage): string[] {
  const has = hasWords(home);
  return (['how_it_works', 'faq', 'newsletter'] as const).flatMap((section) => {
    const id = sectionIds[section];
    return home[section].enabled && has[section] ? [] : [`/#${id}`, `#${id}`];
  });
}
