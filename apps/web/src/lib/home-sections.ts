/** Which sections of the home page have anything in them, and what leads to those that are not shown. Pure. */
import type { HomePage, HomeSection } from '@cambist/contract/home-page';

/** Whether there is anything in it, of what the settings themselves hold. */
export function hasWords(
  home: HomePage,
): Record<Exclude<HomeSection, 'rates' | 'latest'>, boolean> {
  return {
    stats: home.stats.items.length > 0,
    how_it_works: home.how_it_works.steps.length > 0,
    features: home.features.items.some(isPoint),
    testimonials: home.testimonials.items.length > 0,
    faq: home.faq.items.length > 0,
    newsletter: true,
  };
}

/** Of an emptied one its sign alone would stand there. */
export function isPoint({ title, text }: HomePage['features']['items'][number]): boolean {
  return title !== '' || text !== '';
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
