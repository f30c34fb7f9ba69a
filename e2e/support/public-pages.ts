/** One of each kind of page that everybody may see and search engines may show, of the demo desk. */
export const publicPages = [
  '/',
  '/rates',
  '/rates/usd-to-eur',
  '/blog',
  '/blog/how-to-read-a-month-of-a-rate',
  '/blog/how-a-payment-travels',
  '/terms',
  '/privacy',
  '/contact',
  '/feature-report',
  '/subscribe',
  '/signin',
  '/signup',
] as const;
