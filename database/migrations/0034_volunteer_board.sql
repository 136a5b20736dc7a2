-- Staff ask applicants for more, change the roles of volunteers, and note that a check is no longer valid.
alter table volunteer_applications add column asked_at timestamptz(3);
alter table volunteer_events drop constraint volunteer_events_event_check;
alter table volunteer_events add constraint volunteer_events_event_check check (event in (
  'received', 'review_started', 'approved', 'put_on_waiting_list', 'declined', 'withdrawn', 'reopened',
  'note', 'asked', 'roles_changed', 'details_changed', 'exported', 'emergency_contact_viewed', 'file_viewed',
  'files_deleted', 'check_recorded', 'check_verified', 'check_revoked', 'check_reminder_sent'
));

-- A verified check that the state's register no longer shows as valid.
alter table working_with_children_checks
  add column revoked_at timestamptz(3),
  add column revoked_by text,
  add constraint working_with_children_checks_revoked check (
    (revoked_by is null) = (revoked_at is null) and (revoked_at is null or verified_at is not null));

-- What the board and the dashboard read: the applications of a stage by how long they have waited there.
create index volunteer_applications_by_wait on volunteer_applications
  (stage, (greatest(created_at, decided_at, asked_at)), id) where erased_at is null;
