"""Reference implementations of Connect Four and of the moves of backgammon, in plain Python, for the tests."""

Side = tuple[int, ...]
Position = tuple[Side, Side]
BAR = 25


def has_four(stones: set[tuple[int, int]]) -> bool:
    """Returns whether the cells (column, row) contain four in a row."""
    steps = [(1, 0), (0, 1), (1, 1), (1, -1)]
    return any(
        all((column + n * dx, row + n * dy) in stones for n in range(4))
        for column, row in stones
        for dx, dy in steps
    )


class ConnectFourReference:
    """Game of Connect Four: the cells (column, row from the bottom) of each player."""

    def __init__(self) -> None:
        self.stones: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        self.player = 0

    def height(self, column: int) -> int:
        """Returns the number of stones in a column."""
        return sum(cell[0] == column for cells in self.stones for cell in cells)

    def legal(self) -> list[int]:
        """Returns the columns that are not full."""
        return [column for column in range(7) if self.height(column) < 6]

    def play(self, column: int) -> tuple[float, bool]:
        """Drops a stone. Returns the reward of the player and whether the game is over."""
        cells = self.stones[self.player]
        cells.add((column, self.height(column)))
        self.player = 1 - self.player
        return float(has_four(cells)), has_four(cells) or not self.legal()


def successors(position: Position, die: int) -> list[tuple[int, Position]]:
    """Returns the source and the resulting position of each legal move of one checker by a die."""
    mine, theirs = position
    sources = [BAR] if mine[BAR] else [point for point in range(1, BAR) if mine[point]]
    found = []
    for source in sources:
        to = source - die
        if to > 0:
            if theirs[BAR - to] >= 2:
                continue
        elif any(mine[7:]) or (to < 0 and any(mine[source + 1 :])):
            # Bearing off requires all checkers in the home board, and an exact die or no checker on a higher point.
            continue
        to = max(to, 0)
        after, hit = list(mine), list(theirs)
        after[source] -= 1
        after[to] += 1
        if to > 0 and hit[BAR - to] == 1:
            hit[BAR - to] = 0
            hit[BAR] += 1
        found.append((source, (tuple(after), tuple(hit))))
    return found


def most_moves(position: Position, dice: tuple[int, ...]) -> int:
    """Returns the largest number of dice that can be played."""
    return max(
        (
            1 + most_moves(after, dice[:at] + dice[at + 1 :])
            for at, die in enumerate(dice)
            if die not in dice[:at]
            for _, after in successors(position, die)
        ),
        default=0,
    )


def reached(position: Position, dice: tuple[int, ...], count: int, total: int) -> set[Position]:
    """Returns the positions after the first `count` moves of all legal sequences of `total` moves."""
    if count == 0:
        return {position} if most_moves(position, dice) >= total else set()
    return {
        end
        for at, die in enumerate(dice)
        if die not in dice[:at]
        for _, after in successors(position, die)
        for end in reached(after, dice[:at] + dice[at + 1 :], count - 1, total - 1)
    }


def decisions(position: Position, high: int, low: int, is_second_half: bool) -> set[Position]:
    """Returns the positions that the legal actions of a decision lead to."""
    if high == low:
        dice = (high,) * (2 if is_second_half else 4)
        total = most_moves(position, dice)
        return reached(position, dice, min(total, 2), total)
    total = most_moves(position, (high, low))
    if total == 1:
        # The higher die has to be played if it can be.
        die = high if successors(position, high) else low
        return {after for _, after in successors(position, die)}
    return reached(position, (high, low), total, total)


def after_action(position: Position, action: int, high: int, low: int) -> Position:
    """Returns the position after a legal action."""
    moves = [(action // 26, high), (action % 26, low)]
    for source, die in sorted(moves, key=lambda move: -move[0]):
        if source:
            position = dict(successors(position, die))[source]
    return position


def points(loser: Side) -> int:
    """Returns the points of a win: 1, 2 for a gammon, 3 for a backgammon."""
    if loser[0]:
        return 1
    return 3 if any(loser[19:]) else 2
