-- The desk finds people by the beginnings of the words of their name and address.
-- Words are cut here, and not by a text search parser, which treats addresses and
-- hyphens by rules of its own; and without pg_trgm, which a server may not have.
-- What stands between words is written out, since classes depend on the locale.
create function customer_words(name text, email text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array_remove(
  regexp_split_to_array(lower(left(name || ' ' || email, 400)),
    '[][[:space:]!"#$%&''()*+,./:;<=>?@\\^_`{|}~-]+'), ''));

create index users_customer_words on users using gin (customer_words(name, email));
-- Whoever types an address is looking for its owner, not for all who share its words.
create index users_email_prefix on users (email text_pattern_ops);
