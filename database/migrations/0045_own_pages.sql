-- Pages and services can be taken down; the policies are always there.

alter table pages
  add column state text not null default 'published' check (state in ('draft', 'published')),
  add check (state = 'published' or type not in ('privacy', 'refunds', 'terms', 'accessibility'));
alter table services
  add column state text not null default 'published' check (state in ('draft', 'published'));
