    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) { sum += arena[u.a + start + i]; }
    sum = total(t, sum);
    if (lane < width && lane == 0u) { arena[u.y + line] = sum; }
