import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HomePage } from '@cambist/contract/home-page';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { homeJsonLd } from './json-ld.ts';

const site = { general: {}, seo: {} } as SiteSettings;
const read = (enabled: boolean, items: HomePage['faq']['items']) =>
  homeJsonLd('https://desk.test', site, { faq: { enabled, items } } as HomePage);

it('the structured data has the questions that are shown', () => {
  const items = [{ question: 'Why?', answer: 'So.' }];
  assert.match(
    JSON.stringify(read(true, items)),
    /"mainEntity":\[\{"@type":"Question","name":"Why\?"/,
  );
  for (const none of [read(true, []), read(false, items)])
    assert.doesNotMatch(JSON.stringify(none), /FAQPage/);
});
