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
 * Prints panics to the console of the browser.
 */
export function start(): void;
