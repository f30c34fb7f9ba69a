-- Whether a version was chosen from the list, though undo or redo would have restored it too: that is
-- a change like any other. What was restored before stays what it was taken for.
alter table setting_changes add column chosen boolean not null default false;
