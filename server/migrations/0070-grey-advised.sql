-- Whether a selfie begins in black and white by the program's advice, and not by its owner's wish.
alter table generations add column is_grey_advised boolean not null default false;
