// Reads and writes four adjacent elements of a row-major matrix in the buffer $BUFFER. Elements beyond the width are
// zero when read, and are not written. If FOURS, the buffer's elements are vectors of four, and all offsets and widths are
// multiples of four.
fn read_$BUFFER(start: u32, line: u32, width: u32, column: u32) -> vec4<f32> {
    $if(FOURS)
    if (column >= width) { return vec4<f32>(); }
    return $BUFFER[(start + line * width + column) >> 2u];
    $else
    let at = start + line * width + column;
    var v = vec4<f32>();
    $for(c, 4)
    if (column + $cu < width) { v[$c] = $BUFFER[at + $cu]; }
    $end
    return v;
    $end
}

$if(COLUMNS)
// Returns the elements of `column` in four adjacent rows, from `line` on; zeros from row `lines` on.
fn read_column_$BUFFER(start: u32, line: u32, lines: u32, width: u32, column: u32) -> vec4<f32> {
    let at = start + line * width + column;
    var v = vec4<f32>();
    $for(r, 4)
    if (line + $ru < lines) {
        let at$r = at + $ru * width;
        v[$r] = $BUFFER$if(FOURS)[at$r >> 2u][at$r & 3u]$else[at$r]$end;
    }
    $end
    return v;
}
$end

$if(WRITES)
fn write_$BUFFER(start: u32, line: u32, width: u32, column: u32, value: vec4<f32>) {
    $if(FOURS)
    if (column < width) { $BUFFER[(start + line * width + column) >> 2u] = value; }
    $else
    let at = start + line * width + column;
    $for(c, 4)
    if (column + $cu < width) { $BUFFER[at + $cu] = value[$c]; }
    $end
    $end
}
$end
