-- Takes the seats of a hold, as the last call of its transaction. Where they are wanting it raises AL001, which undoes the
-- rest of the hold too; the detail says what is left of each type of the event: {"<id>": seats}.
create function take_seats(of_event bigint, types bigint[], held_more integer[], at timestamptz) returns void language plpgsql as $$
begin
  if not move_seats(of_event, types, held_more, array_fill(0, array[cardinality(types)]), at) then
    raise exception 'the seats are wanting' using errcode = 'AL001', detail = (
      select json_object_agg(id, greatest(0, capacity - sold - held)) from ticket_types where event_id = of_event
    );
  end if;
end $$;
