-- How far a running generation's stage is, where whoever works on it says so.
alter table generations
  add column stage_percent smallint not null default 0,
  add constraint generations_stage_percent_at_most_all check (stage_percent between 0 and 100);
