/** Which sections of the home page have anything in them, and what leads to those that are not shown. Pure. */
import type { HomePage, HomeSection } from '@cambist/contract/home-page';

/** Whether there is anything in it, of what the settings themselves hold. */
export function hasWords(
  home: HomePage,
): Record<Exclude<HomeSection, 'rates' | 'latest'>, boolean> {
  const { stats, how_it_works, features, testimonials, faq } = worded(home);
  return {
    stats: stats.items.length > 0,
    how_it_works: how_it_works.steps.length > 0,
    features: features.items.length > 0,
    testimonials: testimonials.items.length > 0,
    faq: faq.items.length > 0,
    newsletter: true,
  };
}

/** The same home page without points that have no words: a sign, a number or a name would stand alone. */
export function worded(home: HomePage): HomePage {
  const { stats, how_it_works, features, testimonials, faq } = home;
  const said = (...words: string[]) => words.some((word) => word.trim() !== '');
  return {
    ...home,
    stats: { ...stats, items: stats.items.filter(({ value, label }) => said(value, label)) },
    how_it_works: {
      ...how_it_works,
      steps: how_it_works.steps.filter(({ title, text }) => said(title, text)),
    },
    features: { ...features, items: features.items.filter(({ title, text }) => said(title, text)) },
    testimonials: { ...testimonials, items: testimonials.items.filter(({ quote }) => said(quote)) },
    faq: { ...faq, items: faq.items.filter(({ question, answer }) => said(question, answer)) },
  };
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
