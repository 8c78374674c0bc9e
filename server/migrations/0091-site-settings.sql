-- What an operator has set, by key; what isn't here has its default. The value's form is the
-- program's to check: a version that doesn't know it goes by the default.

create table site_settings (
  key text primary key,
  value jsonb not null,
  -- The change that it comes from.
  version bigint not null
);

-- Every change, so that each can be told and undone. Null stands for the default.
create table site_setting_changes (
  version bigint generated always as identity primary key,
  key text not null,
  before jsonb,
  after jsonb,
  operator_name text not null,
  changed_at timestamptz not null
);
create index site_setting_changes_by_key on site_setting_changes (key, version);
