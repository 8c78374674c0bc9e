-- Because of which hints of the photo check a selfie begins in black and white; of earlier ones nobody knows.
alter table generations add column grey_hints text[] not null default '{}';
