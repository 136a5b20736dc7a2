-- Emails carry PDFs, which are compressed already. Compressing them again took a tenth of what donations cost the database.
alter table mailbox_messages alter column attachments set storage external;
alter table mailbox_messages alter column source set storage external;
