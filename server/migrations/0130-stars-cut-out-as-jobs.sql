-- Cutting a star out is a job. Until it is done the star is 'cutting'; where its picture can't be used it
-- is 'failed', with the code of the reason. The version before offers neither.

alter table stars
  add column failure text,
  drop constraint stars_state_known,
  add constraint stars_state_known
    check (state in ('cutting', 'failed', 'draft', 'published', 'retired')),
  add constraint stars_failure_told check ((state = 'failed') <= (failure is not null));
