// A chunk of LANES lanes (cells), and the functions that load, store and sum its lanes.

alias Lanes = $if(SINGLE)f32$else vec$LANES<f32>$end;

fn total(x: Lanes) -> f32 {
    return $if(SINGLE)x$else x[0]$for(lane, 1..LANES) + x[$lane]$end$end;
}

fn own(base: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)states[base + cell + $laneu], $end);
}

fn around(base: u32, place: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)neighbor_value(base, place, cell + $laneu), $end);
}

fn update_mask_lanes(step: u32, board: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)is_updated(step, board, cell + $laneu), $end);
}

fn rounded(x: Lanes) -> Lanes {
    return select(Lanes(0.0), Lanes(1.0), x > Lanes(0.5));
}

fn put_state(at: u32, x: Lanes) {
    $for(lane, LANES)
    states[at + $laneu] = x$if(SINGLE)$else[$lane]$end;
    $end
}
