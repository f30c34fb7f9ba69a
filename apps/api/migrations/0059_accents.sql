-- Texts are found by words typed without their accents, and the other way round: both lose them
-- here as in `kernel/search-words.ts`. Of Latin letters alone: elsewhere marks make other words.

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

alter function searched_words(text) rename to words_apart;
create function searched_words(words text) returns text
language sql immutable strict parallel safe
return words_apart(unaccented(words));

-- Each table is written anew once, with its index.
alter table posts
  drop column search,
  drop column draft_search,
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

alter table media
  drop column search,
  add column search tsvector not null
    generated always as (to_tsvector('simple', searched_words(name || ' ' || alt))) stored;
create index media_search on media using gin (search);

alter table contact_submissions
  drop column search,
  add column search tsvector not null generated always as (
    to_tsvector('simple',
      searched_words(name || ' ' || email || ' ' || exchange_number || ' ' || message))
  ) stored;
create index contact_submissions_search on contact_submissions using gin (search);

alter table feature_reports
  drop column search,
  add column search tsvector not null generated always as (
    to_tsvector('simple', searched_words(title || ' ' || description || ' ' || page || ' ' || note))
  ) stored;
create index feature_reports_search on feature_reports using gin (search);
