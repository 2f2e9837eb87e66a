// Last kernel of an embedding gradient: sums one slice of the rows of dy that belong to each table entry. One
// invocation computes one column of one entry, so that the order of additions is fixed.
var<storage, read> arena: array<f32>;
var<storage, read> work: array<u32>;
var<storage, read_write> slices: array<f32>;

// Returns the element in column `column` of the row of dy at position `place` of the sorted list.
fn dy(place: u32, column: u32) -> f32 { return arena[u.dy + work[place] * u.width + column]; }

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let number = (group.x + group.y * 65535u) * 256u + t;
    let entry = number / u.width;
    let column = number % u.width;
    if (entry >= u.entries) { return; }
    let length = work[lengths() + entry];
    let slice = (length + u.slices - 1u) / u.slices;
    let first = list() + work[starts() + entry];
    var place = first + min(group.z * slice, length);
    let end = first + min((group.z + 1u) * slice, length);
    // Four independent sums, so that four loads are in flight.
    var sums = vec4<f32>();
    for (; place + 4u <= end; place += 4u) {
        sums += vec4(dy(place, column), dy(place + 1u, column), dy(place + 2u, column), dy(place + 3u, column));
    }
    for (; place < end; place += 1u) { sums.x += dy(place, column); }
    let sum = (sums.x + sums.y) + (sums.z + sums.w);
    let gradient = u.table + group.z * u.stride + number;
    slices[gradient] = $if(ACCUMULATE)slices[gradient] + $end sum;
}
