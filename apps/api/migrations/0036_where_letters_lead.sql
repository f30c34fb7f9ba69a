-- Where a person was going when the letter that proves their address was asked for, until it is proved:
-- letters that are sent again, from whichever page, lead on there too. A path of the frontend.
alter table users
  add column verification_next text check (length(verification_next) between 1 and 300);
