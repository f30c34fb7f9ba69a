-- Every writing of settings. `before` is null for what was written before this
-- table was. Of a secret only its name is kept.
create table setting_changes (
  id bigint generated always as identity primary key,
  slug text not null,
  kind text not null check (kind in ('written', 'restored', 'secret_written', 'secret_removed')),
  version integer,
  restored integer,
  secret text,
  before jsonb,
  value jsonb,
  author_id uuid,
  author_name text,
  at timestamptz not null,
  check ((kind = 'restored') = (restored is not null)),
  check ((kind in ('written', 'restored')) = (version is not null and value is not null)),
  check ((kind in ('secret_written', 'secret_removed')) = (secret is not null)),
  check (secret is null or (before is null and value is null))
);
create index setting_changes_list on setting_changes (slug, id desc);
create unique index setting_changes_versions on setting_changes (slug, version) where version is not null;

insert into setting_changes (slug, kind, version, value, author_id, author_name, at)
select s.slug, 'written', s.version, s.value, s.updated_by, u.name, s.updated_at
from settings s left join users u on u.id = s.updated_by;
