-- What was last found of something that can't be looked at whenever a page is opened: a trial picture that a
-- vendor charges for, a backup that was made by command.

create table operator_checks (
  name text primary key,
  checked_at timestamptz not null,
  is_good boolean not null,
  -- For operators, in English.
  finding text not null,
  constraint operator_checks_finding_bounded check (length(finding) <= 2000)
);
