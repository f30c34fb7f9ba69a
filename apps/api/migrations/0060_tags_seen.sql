-- Fillers count as letters, and nothing is seen of them: a tag may not begin with one by now. Those of
-- before lose them, with every sign after them that no tag begins with, and are gone where nothing
-- else is left. What is left is spelled as posts spell it already.

-- Marks are written out, by their numbers, since classes of characters depend on the locale.
create or replace function pg_temp.bare(tag text) returns text language sql as $$
  select regexp_replace(
    tag,
    '^['
    '\u0020-\u002E\u0300-\u036F\u0483-\u0489\u0591-\u05C7\u05F3-\u061A\u064B-\u065F\u0670'
    '\u06D6-\u06E4\u06E7-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819'
    '\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u0903\u093A-\u093C'
    '\u093E-\u094F\u0951-\u0957\u0962\u0963\u0981-\u0983\u09BC\u09BE-\u09CD\u09D7\u09E2\u09E3'
    '\u09FE-\u0A03\u0A3C-\u0A51\u0A70\u0A71\u0A75-\u0A83\u0ABC\u0ABE-\u0ACD\u0AE2\u0AE3'
    '\u0AFA-\u0B03\u0B3C\u0B3E-\u0B57\u0B62\u0B63\u0B82\u0BBE-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C'
    '\u0C3E-\u0C56\u0C62\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CD6\u0CE2\u0CE3\u0CF3-\u0D03\u0D3B\u0D3C'
    '\u0D3E-\u0D4D\u0D57\u0D62\u0D63\u0D81-\u0D83\u0DCA-\u0DDF\u0DF2\u0DF3\u0E31\u0E34-\u0E3A'
    '\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18\u0F19\u0F35-\u0F3F\u0F71-\u0F87'
    '\u0F8D-\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074'
    '\u1082-\u108D\u108F\u109A-\u109D\u115F\u1160\u135D-\u135F\u1712-\u1715\u1732-\u1734'
    '\u1752\u1753\u1772\u1773\u17B4-\u17D3\u17DD\u180B-\u180F\u1885\u1886\u18A9\u1920-\u193B'
    '\u1A17-\u1A1B\u1A55-\u1A7F\u1AB0-\u1B04\u1B34-\u1B44\u1B6B-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3'
    '\u1C24-\u1C37\u1CD0-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u200C-\u2019\u20D0-\u20F0'
    '\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099\u309A\u30FB\u3164\uA66F-\uA67D\uA69E\uA69F'
    '\uA6F0\uA6F1\uA802\uA806\uA80B\uA823-\uA82C\uA880\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF'
    '\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C\uAA4D'
    '\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7\uAAB8\uAABE\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5\uAAF6'
    '\uABE3-\uABED\uFB1E\uFE00-\uFE2F\uFFA0\U000101FD\U000102E0\U00010376-\U0001037A'
    '\U00010A01-\U00010A0F\U00010A38-\U00010A3F\U00010AE5\U00010AE6\U00010D24-\U00010D27'
    '\U00010D69-\U00010D6D\U00010EAB\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50'
    '\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073\U00011074'
    '\U0001107F-\U00011082\U000110B0-\U000110C2\U00011100-\U00011102\U00011127-\U00011134'
    '\U00011145\U00011146\U00011173\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CF'
    '\U0001122C-\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B\U0001133C'
    '\U0001133E-\U0001134D\U00011357\U00011362-\U00011374\U000113B8-\U000113D0\U000113D2'
    '\U000113E1\U000113E2\U00011435-\U00011446\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115C0'
    '\U000115DC\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7\U0001171D-\U0001172B'
    '\U0001182C-\U0001183A\U00011930-\U0001193E\U00011940\U00011942\U00011943\U000119D1-\U000119E0'
    '\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39\U00011A3B-\U00011A47\U00011A51-\U00011A5B'
    '\U00011A8A-\U00011A99\U00011B60-\U00011B67\U00011C2F-\U00011C3F\U00011C92-\U00011CB6'
    '\U00011D31-\U00011D45\U00011D47\U00011D8A-\U00011D97\U00011EF3-\U00011F01\U00011F03'
    '\U00011F34-\U00011F42\U00011F5A\U00013440\U00013447-\U00013455\U0001611E-\U0001612F'
    '\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F\U00016F51-\U00016F92\U00016FE4-\U00016FF1'
    '\U0001BC9D\U0001BC9E\U0001CF00-\U0001D244\U0001DA00-\U0001DAAF\U0001E000-\U0001E02A\U0001E08F'
    '\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE\U0001E5EF'
    '\U0001E6E3\U0001E6E6\U0001E6EE\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A'
    '\U000E0100-\U000E01EF'
    ']+',
    '')
$$;

create temporary table mended on commit drop as
with unseen as (
  select tag, pg_temp.bare(tag) as bare
  from (
    select unnest(tags) as tag from posts
    union select jsonb_array_elements_text(draft_tags) from posts
  ) as written
  where tag <> pg_temp.bare(tag)
)
select distinct on (u.tag)
  u.tag as given,
  coalesce(t.tag, min(u.bare collate "C") over (partition by lower(folded_letters(u.bare)))) as tag
from unseen u left join post_tags t on t.name = lower(folded_letters(u.bare))
order by u.tag, t.shown desc, t.tag;

create or replace function pg_temp.seen(given text[]) returns text[] language sql as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select coalesce(m.tag, g.tag) as tag, min(g.place) as place
    from unnest(given) with ordinality as g (tag, place) left join mended m on m.given = g.tag
    group by 1
  ) as once
  where tag <> ''
$$;

update posts set tags = pg_temp.seen(tags) where tags <> pg_temp.seen(tags);
update posts
set draft = jsonb_set(draft, '{tags}', to_jsonb(seen))
from (
  select id as post_id, pg_temp.seen(array(select jsonb_array_elements_text(draft_tags))) as seen
  from posts
) as mended_drafts
where id = post_id and draft_tags <> to_jsonb(seen);
