-- Why a run of the synchronisation came to no end of its own: in our words; null for all others.
alter table rate_runs add column reason text;
