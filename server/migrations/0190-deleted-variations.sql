-- A variation that its owner has deleted can be brought back for a while; then the sweep takes it.
alter table variations add column deleted_at timestamp with time zone;
create index variations_deleted on variations (deleted_at) where deleted_at is not null;
