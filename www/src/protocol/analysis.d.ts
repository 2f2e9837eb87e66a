// What a wasm module exports. Written by `npm run declarations`.
/**
 * Analysis of a match, action by action.
 */
export class MatchAnalyzer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the analysis so far, which is an [`AnalyzedMatch`](vivarium_exhibit_games::protocol::AnalyzedMatch).
     */
    document(): any;
    /**
     * Begins the analysis of a match, which is a
     * [`PlayedMatch`](vivarium_exhibit_games::protocol::PlayedMatch), with the network of a checkpoint and a search depth in plies.
     */
    constructor(played: any, checkpoint: Uint8Array | number[], plies: number);
    /**
     * Rates the next action, and returns the step, which is an
     * [`AnalyzedStep`](vivarium_exhibit_games::protocol::AnalyzedStep); `null` if all actions have been rated.
     */
    rateNext(): any;
    /**
     * Returns the analysis so far as text, as the command prints it with `--candidates`.
     */
    text(): string;
}

/**
 * Rollout of a position, trial by trial.
 */
export class PositionRollout {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Plays further trials, and returns the estimates so far, which are a
     * [`RolledPosition`](vivarium_exhibit_games::protocol::RolledPosition).
     */
    advance(trials: number): any;
    /**
     * Begins the rollout of a position, given by its ID, with the network of a checkpoint: of the `plays` in standard notation,
     * or of the position before the roll. Trials end after `truncation` turns, or at the end of the
     * game. `cubeless` equities are those of a single game without a doubling cube.
     */
    constructor(id: string, checkpoint: Uint8Array | number[], plays: string[], truncation: number | null | undefined, cubeless: boolean);
}

/**
 * Prints panics to the console of the browser.
 */
export function start(): void;
