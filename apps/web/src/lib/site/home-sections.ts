/** Which sections of the home page have content, and which links lead to hidden ones. Pure. */
import type { HomePage, HomeSection } from '@cambist/contract/home-page';

/** Whether each section has content in the settings. */
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

/** The heading level of an item below its section's title, which may be empty. */
export function headingUnder(title: string): 'h2' | 'h3' {
  return title ? 'h3' : 'h2';
}

/** Anchors of sections that other pages link to. */
export const sectionIds = {
  how_it_works: 'how-it-works',
  faq: 'questions',
  newsletter: 'newsletter',
} as const;

/** Links to sections that are off or empty. */
export function deadAnchors(home: HomePage): string[] {
  const has = hasWords(home);
  return (['how_it_works', 'faq', 'newsletter'] as const).flatMap((section) => {
    const id = sectionIds[section];
    return home[section].enabled && has[section] ? [] : [`/#${id}`, `#${id}`];
  });
}
