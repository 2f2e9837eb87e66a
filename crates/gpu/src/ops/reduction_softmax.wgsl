    var top = -3.4e38;
    for (var i = lane; i < width; i += lanes) { top = max(top, arena[u.a + start + i]); }
    top = largest(t, top);
    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) { sum += safe_exp(arena[u.a + start + i] - top); }
    sum = total(t, sum);
    let log_sum = log(sum);
    for (var i = lane; i < width; i += lanes) {
        let x = arena[u.a + start + i];
        arena[u.y + start + i] = $RESULT;
    }
