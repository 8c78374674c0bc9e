-- Which person a request id belongs to, for the id that an answer carries: failed calls, and those that
-- begin a selfie or an order. Kept for thirty days.

create table request_notes (
  request_id uuid primary key,
  at timestamptz not null,
  user_id uuid references users (id) on delete cascade,
  -- As declared, such as `POST /api/orders`.
  call text not null,
  status smallint not null,
  -- Of the error table; null where the call was answered well.
  code text
);
create index request_notes_by_time on request_notes (at);
create index request_notes_by_user on request_notes (user_id) where user_id is not null;
