-- Reads the attempts under a lock that lets others write.

alter table generation_attempts validate constraint generation_attempts_likeness_in_range;
alter table generation_attempts validate constraint generation_attempts_repetition_known;
alter table generation_attempts validate constraint generation_attempts_error_kind_known;
