-- Who left after a bounce, and was then asked for by a form that nobody confirmed, was taken for
-- bounced again. A bounce after leaving needs a confirmation between, which takes `left_at` away.
update subscribers set state = 'left' where state = 'bounced' and left_at is not null;
