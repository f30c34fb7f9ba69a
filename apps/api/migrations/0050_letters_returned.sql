-- For whose sake a letter of a campaign came back after a server had taken it.
alter table campaign_letters
  add column returned_for text check (returned_for in ('sender', 'mailbox', 'letter'));
