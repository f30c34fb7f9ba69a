import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HomePage } from '@cambist/contract/home-page';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { homeJsonLd } from './json-ld.ts';

const site = { general: {}, seo: {} } as SiteSettings;
const read = (items: HomePage['faq']['items']) =>
  homeJsonLd('https://desk.test', site, { faq: { enabled: true, items } } as HomePage);

it('search engines read whole questions alone', () => {
  const whole = { question: 'Why?', answer: 'So.' };
  const halves = [
    { question: '', answer: 'So.' },
    { question: 'Why?', answer: '' },
  ];
  assert.deepEqual(read([...halves, whole]), [...read([]), ...read([whole]).slice(1)]);
  assert.equal(read(halves).length, 1);
  assert.match(JSON.stringify(read([whole])), /"mainEntity":\[\{"@type":"Question","name":"Why\?"/);
});
