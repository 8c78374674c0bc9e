-- The language of the interface that somebody registered or signed in with: their mails are written in it.

alter table users
  add column language text not null default 'en',
  add constraint users_language_form check (language ~ '^[a-z]{2,3}$') not valid;
