-- What is approved can be claimed too, by whoever is about to pay it out.
drop index exchanges_claimed;
create index exchanges_claimed on exchanges (claimed_by) where state in ('under_review', 'approved');
