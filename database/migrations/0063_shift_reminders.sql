-- expand
-- When a volunteer was last emailed that their shift has moved, and when they were reminded of it as it is now.
alter table volunteer_shift_places add column moved_at timestamptz(3), add column reminded_at timestamptz(3);
