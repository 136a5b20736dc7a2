-- When a version with this link was last saved: links of drafts are checked too, before anybody publishes them.
alter table external_links add column saved_at timestamptz(3);
