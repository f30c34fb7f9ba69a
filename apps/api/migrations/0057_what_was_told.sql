-- What a question about a rate remembers beside its figure, which a run replaces while it waits.

alter table rate_quarantine
  -- The rate as a letter told it: its base, its figure and whether that is inverted.
  add column told jsonb,
  -- What a yes speaks against, where that is not the previous rate: the one that it contradicts.
  add column former_rate numeric(60, 18);

update rate_quarantine
  set told = jsonb_build_object('base', base, 'rate', rate::text, 'inverted', inverted)
  where told_at is not null;
