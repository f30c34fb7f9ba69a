-- Who wrote a draft last, for the other one who is writing it; null where nobody has since.
alter table campaigns
  add column saved_by uuid,
  add column saved_by_name text;
