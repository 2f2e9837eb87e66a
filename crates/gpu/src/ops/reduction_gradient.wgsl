    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) {
        let y = arena[u.a + start + i];
        let dy = arena[u.b + start + i];
        sum += $TERM;
    }
    sum = total(t, sum);
    for (var i = lane; i < width; i += lanes) {
        let y = arena[u.a + start + i];
        let dy = arena[u.b + start + i];
        arena[u.y + start + i] = $RESULT;
    }
