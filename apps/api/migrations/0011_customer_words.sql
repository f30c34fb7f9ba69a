-- The desk finds names however they are typed: apostrophes and hyphens of every shape stand between
-- words, and an accent is one character with its letter. What stands between words is written out,
-- by its number where it is not ASCII, since classes of characters depend on the locale. Lower case
-- depends on the locale of the database too, but alike for what is kept and what is asked for.
-- The index is made anew: an index of a function knows nothing of the function's change.
drop index users_customer_words;

create or replace function customer_words(name text, email text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array_remove(
  regexp_split_to_array(lower(left(normalize(name || ' ' || email, nfc), 400)),
    '[]\t\n\v\f\r !"#$%&''()*+,./:;<=>?@[\\^_`{|}~\u00A0\u02BC\u2010-\u2015\u2018\u2019\u3000-]+'), ''));

create index users_customer_words on users using gin (customer_words(name, email));
