/** The groups of settings whose unsaved values can be previewed on the site. */
export const previewed = ['home-page', 'custom-css'] as const;
export type Previewed = (typeof previewed)[number];

export function isPreviewed(slug: string): slug is Previewed {
  return previewed.some((each) => each === slug);
}
