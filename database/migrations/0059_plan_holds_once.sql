-- expand
-- A connection plans what a hold reads once, like the functions of 0035_plan_once.sql.
alter function see_holds(bigint, text, text, uuid, text[], timestamptz, timestamptz)
  set plan_cache_mode = force_generic_plan;
