-- Jobs and lists that read a whole table at each run read an index of what they look for.

-- Photos that are still kept, and deleted selfies whose objects are not gone yet.
create index generations_with_inputs on generations (created_at) where user_photo_key is not null;
drop index generations_deleted;
create index generations_to_purge on generations (deleted_at)
  where deleted_at is not null and clean_key is not null;

-- The search for similar pictures reads all hashes, those of deleted pictures too.
drop index generations_by_picture_hash;
create index generations_by_picture_hash on generations (picture_hash)
  where picture_hash is not null;

-- What an operator looks at, newest first.
create index users_by_time on users (created_at);
create index orders_by_time on orders (created_at);
create index orders_by_status on orders (status, created_at);
create index reports_by_time on reports (created_at);
