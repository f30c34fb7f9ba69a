-- The letters of a campaign that came to nothing, to be listed beside their count.
create index campaign_letters_refused on campaign_letters (campaign_id, id)
  where state in ('failed', 'bounced');

-- The heading that an import read the language from.
alter table subscriber_imports add column locale_column text;
