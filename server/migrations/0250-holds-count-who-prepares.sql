-- How many requests prepare a selfie that this hold shall pay for: one that is refused gives the hold
-- back only when no other does. What a crash leaves counted ends with the hold.
alter table credit_holds
  add column preparing_count integer not null default 0,
  add constraint credit_holds_preparing_count_not_negative check (preparing_count >= 0);
