/** The settings of the home page: its sections, and the footer that every page has. */
import { Type, type Static } from 'typebox';
import { isReadableAddress } from './address.ts';
import { Strict, Words } from './wire.ts';

const text = (maxLength: number) => Type.String({ maxLength });
/** What a point of a list cannot do without. */
const needed = (maxLength: number) => Words(1, maxLength);
export const Href = Type.Refine(
  Type.String({ maxLength: 500, pattern: '^(https?://|mailto:|tel:|/(?![/\\\\])|#)[^\\s]*$' }),
  isReadableAddress,
);
const Link = Strict({ label: Words(1, 60), href: Href });
const Section = { enabled: Type.Boolean(), title: text(120), intro: text(400) };

/** What may be moved, in the order of a new desk. The hero is always first and the footer last. */
export const homeSections = [
  'stats',
  'rates',
  'latest',
  'how_it_works',
  'features',
  'testimonials',
  'faq',
  'newsletter',
] as const;
export type HomeSection = (typeof homeSections)[number];

export const HomePage = Strict({
  /** All of them, each once. */
  order: Type.Array(Type.Enum(homeSections), {
    minItems: homeSections.length,
    maxItems: homeSections.length,
    uniqueItems: true,
  }),
  hero: Strict({
    /** Without it the converter opens the page by itself. */
    enabled: Type.Boolean(),
    title: Words(1, 120),
    text: text(400),
    cta_label: text(40),
    signed_in_cta_label: text(40),
  }),
  stats: Strict({
    enabled: Type.Boolean(),
    items: Type.Array(Strict({ value: needed(20), label: needed(60) }), { maxItems: 6 }),
  }),
  rates: Strict({ ...Section }),
  latest: Strict({ ...Section }),
  features: Strict({
    ...Section,
    /** Each has a heading, a text or both; so has a step. */
    items: Type.Array(
      Strict({
        icon: Type.Enum([
          'lock',
          'scale',
          'eye',
          'shield',
          'clock',
          'receipt',
          'headset',
          'bank',
        ] as const),
        title: text(80),
        text: text(300),
      }),
      { maxItems: 12 },
    ),
  }),
  how_it_works: Strict({
    ...Section,
    steps: Type.Array(Strict({ title: text(80), text: text(300) }), { maxItems: 8 }),
  }),
  testimonials: Strict({
    ...Section,
    items: Type.Array(
      Strict({
        quote: needed(500),
        name: text(80),
        detail: text(80),
        /** A picture of the library. */
        portrait: Type.Optional(Type.Union([Href, Type.Null()])),
      }),
      { maxItems: 12 },
    ),
  }),
  faq: Strict({
    ...Section,
    items: Type.Array(Strict({ question: needed(200), answer: needed(1500) }), { maxItems: 30 }),
  }),
  newsletter: Strict({ ...Section }),
  footer: Strict({
    note: text(400),
    links_enabled: Type.Boolean(),
    social_enabled: Type.Boolean(),
    columns: Type.Array(Strict({ title: text(60), links: Type.Array(Link, { maxItems: 10 }) }), {
      maxItems: 4,
    }),
  }),
  social: Type.Array(
    Strict({
      network: Type.Enum([
        'x',
        'facebook',
        'instagram',
        'linkedin',
        'telegram',
        'youtube',
        'mastodon',
      ] as const),
      href: Href,
    }),
    { maxItems: 8 },
  ),
});
export type HomePage = Static<typeof HomePage>;
