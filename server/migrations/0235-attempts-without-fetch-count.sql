-- Nothing has read or written it, in the first release neither.
alter table generation_attempts drop column fetch_count;
