/** Allowed elements. Apart from the cleaner, which is too large for the editor in the browser. */
export const headings = ['h2', 'h3', 'h4'] as const;

export const elements: readonly string[] = [
  ...headings,
  'p',
  'br',
  'hr',
  'blockquote',
  'pre',
  'code',
  'kbd',
  'strong',
  'em',
  's',
  'u',
  'sub',
  'sup',
  'mark',
  'a',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'figure',
  'figcaption',
  'img',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
];

/** Other elements with the same meaning. */
export const renamed: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  h1: 'h2',
  h5: 'h4',
  h6: 'h4',
};

const allowed = new Set(elements);

export const isElement = (name: string) => allowed.has(name);
