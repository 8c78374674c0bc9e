-- A wall opens by a link of its own too: not everybody who knows the event's address sees it.
alter table event_links drop constraint event_links_role_known;
alter table event_links
  add constraint event_links_role_known check (role in ('kiosk', 'moderator', 'attendant', 'wall'));
