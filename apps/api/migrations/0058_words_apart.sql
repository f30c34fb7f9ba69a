-- Texts are searched by the words that a reader sees in them. PostgreSQL's own parser keeps “0.25”,
-- addresses and paths whole, and where its locale is C the quotes around a word too, while a search
-- asks for letters and digits alone: what stands between words is cut away first, in the same way as
-- `kernel/search-words.ts` cuts what is typed. An index of a function knows nothing of the
-- function's change: whoever changes one of these makes the columns below anew.

-- Arabic keyboards type other letters than Persian ones, which look the same in most words.
create function folded_letters(words text) returns text
language sql immutable strict parallel safe
return translate(words, U&'\064A\0643', U&'\06CC\06A9');

-- Latin letters lose their accents, as in `kernel/search-words.ts`; elsewhere marks make other words.
-- Small letters for capitals too: PostgreSQL makes small ones of all words in any case.
create function unaccented(words text) returns text
language sql immutable strict parallel safe
return normalize(
  regexp_replace(regexp_replace(regexp_replace(
    translate(
      regexp_replace(normalize(words, NFD), '([A-Za-z\u00C0-\u02AF])[\u0300-\u036F]+', '\1', 'g'),
      U&'\0141\0142\0110\0111\00D8\00F8\0131', 'llddooi'),
    '[\u00DF\u1E9E]', 'ss', 'g'), '[\u00C6\u00E6]', 'ae', 'g'), '[\u0152\u0153]', 'oe', 'g'),
  NFC);

-- Signs and spaces are written out, by their numbers where they are not ASCII, since classes of
-- characters depend on the locale: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic; Indian, Thai,
-- Ethiopic, Khmer; then what all scripts share, Chinese, full-width and pictures.
create function words_apart(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
  folded_letters(words),
  '[\u0001-/:-@[-`{-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7'
    '\u02C2-\u02C5\u02D2-\u02DF\u037E\u0384\u0385\u0387\u0482\u055A-\u055F\u0589-\u058F'
    '\u05BE\u05C0\u05C3\u05C6\u05F3-\u060F\u061B-\u061F\u066A-\u066D\u06D4\u06DD\u06DE'
    '\u0964\u0965\u0970\u09F2\u09F3\u0E3F\u0E4F\u0E5A\u0E5B\u1360-\u1368\u17D4-\u17D6\u17D8-\u17DB'
    '\u2000-\u206F\u207A-\u207E\u208A-\u208E\u20A0-\u2101\u2103-\u2106\u2116-\u2118\u2120-\u2122'
    '\u2190-\u245F\u2500-\u2775\u2794-\u2BFF\u2E00-\u2E2E\u2E30-\u2E7F'
    '\u3000-\u3004\u3008-\u3020\u3030\u303D-\u303F\u30A0\u30FB'
    '\uFD3E\uFD3F\uFDFC\uFE00-\uFE19\uFE30-\uFE6F\uFEFF-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65'
    '\uFFE0-\uFFFF\U0001F000-\U0001F0FF\U0001F10D-\U0001FBEF\U000E0000-\U000E0FFF]+',
  ' ', 'g');

create function searched_words(words text) returns text
language sql immutable strict parallel safe
return words_apart(unaccented(words));

alter table posts drop column search, drop column draft_search;

-- Cells, and items that hold a list, ran into one word. Cleaned HTML has no `>` within a tag.
update posts
set body_text = trim(regexp_replace(
  replace(replace(replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(body, '</?(a|code|em|kbd|mark|s|strong|sub|sup|u|img)\M[^>]*>', '', 'g'),
      '<[^>]*>', ' ', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&'),
  '\s+', ' ', 'g'))
where body ~ '<(t[hd]|[uod]l)\M';

-- Tags of before become one by the same rule, as the oldest post spells each.
alter table post_tags drop column name;
alter table post_tags add column name text not null
  generated always as (lower(folded_letters(tag))) stored;
create index post_tags_name on post_tags (name);

create temporary table spellings on commit drop as
select distinct on (name) name, tag
from posts, lateral (
  select tag, lower(folded_letters(tag)) as name
  from (select unnest(tags) union all select jsonb_array_elements_text(draft_tags)) as both_texts (tag)
) as each
order by name, id;

create or replace function pg_temp.spelled_alike(given text[]) returns text[] language sql as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select s.tag, min(g.place) as place
    from unnest(given) with ordinality as g (tag, place)
    join spellings s on s.name = lower(folded_letters(g.tag))
    group by s.tag
  ) as once
$$;

update posts set tags = pg_temp.spelled_alike(tags) where tags <> pg_temp.spelled_alike(tags);
update posts
set draft = jsonb_set(draft, '{tags}', to_jsonb(spelled))
from (
  select id as post_id, pg_temp.spelled_alike(array(select jsonb_array_elements_text(draft_tags))) as spelled
  from posts
) as mended
where id = post_id and draft_tags <> to_jsonb(spelled);

-- Each table is written anew once, with its index.
alter table posts
  add column search tsvector not null generated always as (
    setweight(to_tsvector('simple', searched_words(title)), 'A') ||
    setweight(to_tsvector('simple', searched_words(excerpt)), 'B') ||
    setweight(to_tsvector('simple', searched_words(left(body_text, 200000))), 'C')
  ) stored,
  add column draft_search tsvector not null generated always as (
    to_tsvector('simple', searched_words(coalesce(draft->>'title', '')))
  ) stored;
create index posts_search on posts using gin (search);
create index posts_draft_search on posts using gin (draft_search);

alter table media drop column search;
alter table media add column search tsvector not null
  generated always as (to_tsvector('simple', searched_words(name || ' ' || alt))) stored;
create index media_search on media using gin (search);

alter table contact_submissions drop column search;
alter table contact_submissions add column search tsvector not null generated always as (
  to_tsvector('simple',
    searched_words(name || ' ' || email || ' ' || exchange_number || ' ' || message))
) stored;
create index contact_submissions_search on contact_submissions using gin (search);

alter table feature_reports drop column search;
alter table feature_reports add column search tsvector not null generated always as (
  to_tsvector('simple', searched_words(title || ' ' || description || ' ' || page || ' ' || note))
) stored;
create index feature_reports_search on feature_reports using gin (search);
