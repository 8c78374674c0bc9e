-- Whether a star's photo ends so soon below the chin that no tall picture can be made of it: the studio
-- says so beforehand. Of stars that were cut out before nothing is said until such a picture is asked for.

alter table stars add column tight_crop boolean not null default false;
