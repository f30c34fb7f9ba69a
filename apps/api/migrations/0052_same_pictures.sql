-- A picture that came twice is kept once: known by the bytes that came. Pictures of before have
-- none, and come once more where they are added again; what they were is not kept.
alter table media add column source_hash bytea check (length(source_hash) = 32);
create unique index media_source on media (source_hash);
