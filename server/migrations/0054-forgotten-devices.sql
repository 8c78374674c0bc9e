-- A device that its person hasn't signed in from for as long as its cookie lives is forgotten. The
-- rows lie roughly in the order of their last use, so ranges of blocks are index enough.
create index user_devices_by_last_use on user_devices using brin (last_seen_at);
