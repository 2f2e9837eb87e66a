// Tree reduction over the invocations of a workgroup. A shader may have several, which wgsl.rs names.
var<workgroup> $NAME_memory: array<$ELEMENT, $THREADS>;
fn $NAME(t: u32, value: $ELEMENT) -> $ELEMENT {
    // Some invocations may still read the memory of an earlier call.
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
