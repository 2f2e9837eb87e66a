// For each token of the workgroup, adds the partial sums $START to $STOP of the invocation `giver` to the partial sums
// of the first invocation. In workgroup memory, the sums with the same index of different tokens are adjacent.
workgroupBarrier();
if (share == giver) {
    $for(i, START..STOP)
    tile[($iu - $STARTu) * OWN + place] = sum$i;
    $end
}
workgroupBarrier();
if (share == 0u) {
    $for(i, START..STOP)
    $if(FORWARD)
    sum$i = sum$i * kept + tile[($iu - $STARTu) * OWN + place] * taken;
    $else
    sum$i += tile[($iu - $STARTu) * OWN + place];
    $end
    $end
}
