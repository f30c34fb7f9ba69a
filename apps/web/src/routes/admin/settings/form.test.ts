import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';
import { settingSchemas, settingSecrets, type SettingSlug } from '@cambist/contract/settings';
import { groupOf, type Shape } from './fields/shape.ts';
import { settingsGroups } from './groups.ts';

standInMessages();
const { labelsAt, partsOf, placeOf, questionOf, settingsForms } = await import('./form.ts');

const slugs = Object.keys(settingSchemas) as SettingSlug[];

/** Every field with its path; the rows of a list are the path's `0`. */
function* fieldsOf(shape: Shape, path: string): Generator<[string, Shape]> {
  if (path !== '' && !path.endsWith('.0')) yield [path, shape];
  if (shape.kind === 'list') yield* fieldsOf(shape.item, `${path}.0`);
  if (shape.kind === 'group') {
    for (const field of shape.fields) {
      yield* fieldsOf(field.shape, path === '' ? field.key : `${path}.${field.key}`);
    }
  }
}

describe('the labels of the settings', () => {
  it('exist for every group', () => {
    assert.deepEqual(settingsGroups.map(({ slug }) => slug).toSorted(), slugs.toSorted());
  });

  for (const slug of slugs) {
    const shape = groupOf(JSON.parse(JSON.stringify(settingSchemas[slug])));
    const form = settingsForms[slug];

    it(`name every field, choice and row of ${slug}, and nothing else`, () => {
      const fields = [...fieldsOf(shape, '')];
      for (const [path, field] of fields) {
        const own = labelsAt(form.fields, path);
        assert.ok(own, `${path} has no label`);
        if (field.kind === 'choice' || field.kind === 'order') {
          assert.deepEqual(
            Object.keys(own.choices ?? {}).toSorted(),
            field.choices.toSorted(),
            path,
          );
        }
        if (field.kind === 'list') assert.ok(own.item && own.add, `${path} does not name its rows`);
      }
      const paths = fields.map(([path]) => path.replaceAll('.0', ''));
      const unused = Object.keys(form.fields).filter((path) =>
        path.startsWith('*.')
          ? !paths.some((each) => each.endsWith(path.slice(1)))
          : !paths.includes(path),
      );
      assert.deepEqual(unused, []);
      assert.deepEqual(Object.keys(form.secrets ?? {}), [...(settingSecrets[slug] ?? [])]);
    });

    it(`show each field of ${slug} in one part`, () => {
      const shown = partsOf(shape, form).flatMap(({ fields }) => fields);
      assert.deepEqual(
        shown.map(({ key }) => key).toSorted(),
        shape.fields.map(({ key }) => key).toSorted(),
      );
    });
  }

  it('lead to a field from the outside in', () => {
    const place = (path: string) => placeOf(settingsForms['home-page'].fields, path);
    assert.equal(place('hero.title'), 'Opening, Heading');
    assert.equal(place('footer.columns.0.links.1.href'), 'Footer, Column 1, Link 2, Address');
    assert.equal(place('social'), 'Social networks');
  });
});

describe('saving settings', () => {
  it('asks before the site is closed or hidden, and not when it is opened again', () => {
    const general = (enabled: boolean) => ({ maintenance: { enabled } });
    assert.match(questionOf('general', general(false), general(true))?.title ?? '', /Close/);
    assert.equal(questionOf('general', general(true), general(true)), null);
    assert.equal(questionOf('general', general(true), general(false)), null);
    assert.ok(questionOf('sitemap-robots', { noindex: false }, { noindex: true }));
    assert.equal(questionOf('seo', {}, {}), null);
  });
});
