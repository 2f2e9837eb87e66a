// Adds the partial sums $START to $STOP of invocation number `giver` of each token to the sums of the token's first
// invocation. The sums pass through workgroup memory, where sums with the same index of different tokens are adjacent.
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
