// Tree reduction over groups of invocations of a workgroup, such as a sum: returns to each invocation the result of its
// group. A shader may contain several reductions with different names.
var<workgroup> $NAME_memory: array<$ELEMENT, $THREADS>;
fn $NAME(t: u32, value: $ELEMENT) -> $ELEMENT {
    // Other invocations may still read the memory of an earlier call.
    workgroupBarrier();
    $NAME_memory[t] = value;
    for (var half = $HALFu; half >= $STRIDEu; half /= 2u) {
        workgroupBarrier();
        if (t % $LANESu < half) {
            let a = $NAME_memory[t];
            let b = $NAME_memory[t + half];
            $NAME_memory[t] = $JOIN;
        }
    }
    workgroupBarrier();
    return $NAME_memory[t - t % $LANESu + t % $STRIDEu];
}
