-- What the Content-Security-Policy of the site's pages has stopped, counted by kind. Nothing in it tells
-- who met it: the page is the first step of its path, what was blocked is a word or an origin.
create table policy_reports (
  page text not null,
  directive text not null,
  blocked text not null,
  times bigint not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (page, directive, blocked)
);
