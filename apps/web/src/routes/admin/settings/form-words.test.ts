import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';
import { settingSchemas, settingSecrets, type SettingSlug } from '@cambist/contract/settings';
import { groupOf, type Shape } from '#lib/console/schema-form/shape.ts';
import { placeOf, wordsAt } from '#lib/console/schema-form/words.ts';

standInMessages();
const { formWords, partsOf } = await import('./form-words.ts');
const { settingsGroups } = await import('./groups.ts');

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

describe('the words of the settings', () => {
  it('are there for every group', () => {
    assert.deepEqual(settingsGroups.map(({ slug }) => slug).toSorted(), slugs.toSorted());
  });

  for (const slug of slugs) {
    const shape = groupOf(JSON.parse(JSON.stringify(settingSchemas[slug])));
    const { words } = formWords[slug];

    it(`are there for every field, choice and list of ${slug}`, () => {
      for (const [path, field] of fieldsOf(shape, '')) {
        const own = wordsAt(words, path);
        assert.ok(own, `${path} has no words`);
        if (field.kind === 'choice' || field.kind === 'order') {
          assert.deepEqual(Object.keys(own.choices ?? {}), [...field.choices], path);
        }
        if (field.kind === 'list') assert.ok(own.one && own.add, `${path} has no word for a row`);
      }
    });

    it(`call no two rows of ${slug} the same`, () => {
      const lists = [...fieldsOf(shape, '')].filter(([, { kind }]) => kind === 'list');
      const places = lists.map(([path]) => placeOf(words, `${path}.0`));
      assert.deepEqual(places, [...new Set(places)]);
    });

    it(`are those of fields that ${slug} has`, () => {
      const paths = [...fieldsOf(shape, '')].map(([path]) => path.replaceAll('.0', ''));
      const spare = Object.keys(words).filter((path) =>
        path.startsWith('*.')
          ? !paths.some((each) => each.endsWith(path.slice(1)))
          : !paths.includes(path),
      );
      assert.deepEqual(spare, []);
    });

    it(`show each field of ${slug} once`, () => {
      const shown = partsOf(shape, formWords[slug]).flatMap(({ fields }) => fields);
      assert.deepEqual(
        shown.map(({ key }) => key).toSorted(),
        shape.fields.map(({ key }) => key).toSorted(),
      );
    });

    it(`name the secrets of ${slug}`, () => {
      assert.deepEqual(Object.keys(formWords[slug].secrets), [...(settingSecrets[slug] ?? [])]);
    });
  }

  it('lead to a mistake from the outside in', () => {
    const place = (path: string) => placeOf(formWords['home-page'].words, path);
    assert.equal(place('hero.title'), 'settings_home_hero, settings_home_heading');
    assert.equal(
      place('footer.columns.0.links.1.href'),
      'settings_home_footer, settings_home_column_one, settings_home_link_one, settings_home_link_href',
    );
    assert.equal(place('social'), 'settings_home_social');
    assert.equal(place('some_thing'), 'Some thing');
  });
});
